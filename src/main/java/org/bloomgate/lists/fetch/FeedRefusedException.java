package org.bloomgate.lists.fetch;

import java.io.IOException;

/// Thrown for a feed that is rejected as a whole: not fetched, not in its declared format, empty or truncated.
/// Keys that were already read are dropped, and the last good copy stays. The message names the feed, the fault
/// and the remedy.
public final class FeedRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean fault;
    private transient FeedCounts counts = FeedCounts.NOTHING;

    public FeedRefusedException(Feed feed, String reason) {
        super("feed " + feed.name() + ": " + reason);
        fault = false;
    }

    public FeedRefusedException(Feed feed, String reason, Throwable cause) {
        super("feed " + feed.name() + ": " + reason, cause);
        fault = false;
    }

    private FeedRefusedException(Feed feed, Throwable cause) {
        super("feed " + feed.name() + ": " + describe(cause), cause);
        fault = true;
    }

    /// An unexpected exception, or a stack overflow: the feed triggered a fault of the program.
    public static FeedRefusedException ofFault(Feed feed, Throwable cause) {
        return new FeedRefusedException(feed, cause);
    }

    public FeedRefusedException after(FeedCounts read) {
        counts = read;
        return this;
    }

    /// The lines read until then.
    public FeedCounts counts() {
        return counts;
    }

    /// Whether the cause is a fault of this program, to be logged with its stack trace.
    public boolean isFault() {
        return fault;
    }

    /// A description without the message of the exception, which may quote a line, and that may be a password.
    public static String describe(Throwable cause) {
        StackTraceElement[] frames = cause.getStackTrace();
        return "a fault of the reader, " + cause.getClass().getSimpleName()
                + (frames.length == 0 ? "" : " at " + frames[0]);
    }
}
