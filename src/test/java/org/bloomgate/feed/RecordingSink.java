package org.bloomgate.feed;

import java.util.ArrayList;
import java.util.List;
import org.bloomgate.key.Key;

/// Keeps what it receives as lines of text.
final class RecordingSink implements FeedSink {
    final List<String> events = new ArrayList<>();
    final List<String> keys = new ArrayList<>();
    final List<String> excerpts = new ArrayList<>();

    @Override
    public void key(long line, Key key, long count) {
        events.add(line + " key " + key.text() + (count == 0 ? "" : " " + count));
        keys.add(key.text());
    }

    @Override
    public void reject(long line, String reason, String excerpt) {
        events.add(line + " reject " + reason);
        excerpts.add(excerpt);
    }

    @Override
    public void held(long line, String reason, Key key) {
        events.add(line + " held " + key.text());
    }
}
