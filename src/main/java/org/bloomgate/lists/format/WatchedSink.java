package org.bloomgate.lists.format;

import java.util.Optional;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;

/// Remembers exceptions of the sink: a full disk, or a cancelled rebuild, is not a fault of the feed.
final class WatchedSink implements FeedSink {
    private final FeedSink sink;
    private Optional<RuntimeException> thrown = Optional.empty();

    WatchedSink(FeedSink sink) {
        this.sink = sink;
    }

    /// Throws the exception again if the sink threw it.
    void rethrow(RuntimeException exception) {
        if (thrown.equals(Optional.of(exception))) {
            throw exception;
        }
    }

    @Override
    public void addKey(long line, Key key, long count) {
        pass(() -> sink.addKey(line, key, count));
    }

    @Override
    public void addKey(long line, KeyKind kind, byte[] bytes, int from, int to, long count) {
        try {
            sink.addKey(line, kind, bytes, from, to, count);
        } catch (RuntimeException e) {
            throw remembered(e);
        }
    }

    @Override
    public void addBelow(long line, Key key) {
        pass(() -> sink.addBelow(line, key));
    }

    @Override
    public void reject(long line, String reason, String excerpt) {
        pass(() -> sink.reject(line, reason, excerpt));
    }

    @Override
    public void hold(long line, String reason, Key key) {
        pass(() -> sink.hold(line, reason, key));
    }

    @Override
    public void except(long line, Key key) {
        pass(() -> sink.except(line, key));
    }

    private void pass(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException e) {
            throw remembered(e);
        }
    }

    private RuntimeException remembered(RuntimeException exception) {
        thrown = Optional.of(exception);
        return exception;
    }
}
