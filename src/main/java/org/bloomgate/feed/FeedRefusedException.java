package org.bloomgate.feed;

import java.io.IOException;

/// A feed that cannot be taken as a whole: not fetched, not the format it is said to be, empty or truncated. Keys that
/// were handed on before are void, and the feed's last good copy stays. The message names the feed, what was seen and
/// what to do.
public final class FeedRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    public FeedRefusedException(Feed feed, String reason) {
        super("feed " + feed.name() + ": " + reason);
    }

    public FeedRefusedException(Feed feed, String reason, Throwable cause) {
        super("feed " + feed.name() + ": " + reason, cause);
    }
}
