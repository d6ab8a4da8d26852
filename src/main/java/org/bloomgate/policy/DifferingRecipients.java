package org.bloomgate.policy;

/// What becomes of a recipient whose rules differ from those of the recipients before it, as there is one reply to
/// the message for all.
public enum DifferingRecipients {
    /// Answered 452 4.5.3: the client sends to it in a transaction of its own.
    DEFER,
    /// Accepted. Where the rulings on the message differ, the mildest holds for all, but a tag at least.
    TAG
}
