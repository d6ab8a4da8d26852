package org.bloomgate.lists.format;

import java.util.ArrayList;
import java.util.List;
import org.bloomgate.core.key.Key;

/// Keeps what it receives as lines of text.
public final class RecordingSink implements FeedSink {
    public final List<String> events = new ArrayList<>();
    public final List<String> keys = new ArrayList<>();
    public final List<String> excerpts = new ArrayList<>();

    @Override
    public void addKey(long line, Key key, long count) {
        events.add(line + " key " + key.text() + (count == 0 ? "" : " " + count));
        keys.add(key.text());
    }

    @Override
    public void addBelow(long line, Key key) {
        events.add(line + " below " + key.text());
        keys.add("*." + key.text());
    }

    @Override
    public void reject(long line, String reason, String excerpt) {
        events.add(line + " reject " + reason);
        excerpts.add(excerpt);
    }

    @Override
    public void except(long line, Key key) {
        events.add(line + " except " + key.text());
    }

    @Override
    public void hold(long line, String reason, Key key) {
        events.add(line + " held " + key.text());
    }
}
