package org.bloomgate.feed;

import org.bloomgate.key.Key;

/// Receives what a feed holds, in order of its lines.
public interface FeedSink {

    /// A key of an entry line. A line may hold several (hosts files), each key is handed on apart.
    ///
    /// @param line number of the line, from 1
    /// @param count how often the feed has seen it, 0 when it does not say
    void key(long line, Key key, long count);

    /// A line that is left out, with the reason and the line's beginning, unprintable octets escaped.
    void reject(long line, String reason, String excerpt);

    /// A key that an allow list or the public suffix list holds back, with the reason.
    void held(long line, String reason, Key key);
}
