package org.bloomgate.core.limit;

/// Ends the reading of a message from within, at the first draw after its allowance was stopped. An [Error], so that
/// no reader catches it that reads on as raw text after a fault.
public final class ReadingStopped extends Error {
    private static final long serialVersionUID = 1L;

    /// What the message is out of.
    public enum Reason {
        /// The reading took too long, or nobody waits for it any more: the limit `time`.
        TIME,
        /// The memory that all messages share was not free in time: the message is deferred.
        HEAP
    }

    private final Reason reason;

    /// Without a stack trace: it is thrown for a reason outside the code that runs.
    public ReadingStopped(Reason reason) {
        super(reason.name(), null, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
