package org.bloomgate.lists.format;

import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;

/// Receives the content of a feed, in order of its lines. Line numbers start at 1; in a JSON feed they number
/// the values.
public interface FeedSink {

    /// A key of an entry line. A line may have several (hosts files, address ranges), with one call for each.
    ///
    /// @param count how often the feed has seen it; 0 if unknown
    void addKey(long line, Key key, long count);

    /// The same for a key in a buffer that changes after the call.
    default void addKey(long line, KeyKind kind, byte[] bytes, int from, int to, long count) {
        addKey(line, Key.ofBytes(kind, bytes, from, to - from), count);
    }

    /// A domain of which the feed lists only the names below it. A sink that only counts takes it like any key.
    default void addBelow(long line, Key key) {
        addKey(line, key, 0);
    }

    /// A rejected line, or a rejected name of a line with several.
    ///
    /// @param excerpt the beginning, with unprintable characters escaped; for a password feed only the length
    void reject(long line, String reason, String excerpt);

    /// A domain, URL expression or network that the feed excepts, although it lists a name, page or network
    /// around it.
    void except(long line, Key key);

    /// A key that an allow list or the public suffix list holds back, with the reason.
    void hold(long line, String reason, Key key);
}
