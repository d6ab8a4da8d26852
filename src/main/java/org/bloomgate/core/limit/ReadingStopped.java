package org.bloomgate.core.limit;

/// Ends the reading of a message at the first use of its allowance after that was stopped. An [Error], so that
/// readers, which continue with a raw scan after an exception, do not catch it.
public final class ReadingStopped extends Error {
    private static final long serialVersionUID = 1L;

    /// The resource that the message has used up.
    public enum Reason {
        /// The reading took too long, or its result is no longer needed: the limit `time`.
        TIME,
        /// The heap that all messages share was not free in time: the message is deferred.
        HEAP
    }

    private final Reason reason;

    /// Without a stack trace, because the reason is not in the code that throws it.
    public ReadingStopped(Reason reason) {
        super(reason.name(), null, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
