package org.bloomgate.policy;

/// What becomes of one message whose recipients' rulings differ, as there is one reply to it for all. Every recipient
/// is accepted: most mail is clean, and clean mail is not held up because of rules that do not matter to it.
public enum DifferingRecipients {
    /// Answered 451 4.5.3 once. When the same sender writes to the same recipients again, those that go apart are
    /// answered 452 4.5.3, so that the client sends to them in a transaction of its own. A client that cannot do so
    /// is not kept waiting: then those whose ruling refuses the message find it in the quarantine, and the others
    /// get it.
    DEFER,
    /// The mildest holds for all, but a tag at least.
    TAG
}
