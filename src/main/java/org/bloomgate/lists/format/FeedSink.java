package org.bloomgate.lists.format;

import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;

/// Receives what a feed holds, in order of its lines. Line numbers count from 1; in a JSON feed they number the
/// values.
public interface FeedSink {

    /// A key of an entry line. A line may hold several (hosts files, address ranges), each key is handed on apart.
    ///
    /// @param count how often the feed has seen it, 0 when it does not say
    void key(long line, Key key, long count);

    /// The same for a key in bytes that change after the call.
    default void key(long line, KeyKind kind, byte[] bytes, int from, int to, long count) {
        key(line, Key.ofBytes(kind, bytes, from, to - from), count);
    }

    /// A line, or one name of a line with several, that is left out, with the reason and its beginning,
    /// unprintable characters escaped. The excerpt of a password feed shows only a length.
    void reject(long line, String reason, String excerpt);

    /// A domain, URL expression or network that the feed says is not bad, although it lists what is above it.
    void except(long line, Key key);

    /// A key that an allow list or the public suffix list holds back, with the reason.
    void held(long line, String reason, Key key);
}
