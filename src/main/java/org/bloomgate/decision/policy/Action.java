package org.bloomgate.decision.policy;

import org.bloomgate.lookup.lookup.Cap;

/// What happens to a message, from the mildest to the hardest: of several the last one here is done.
public enum Action {
    /// Relayed untouched.
    PASS("pass"),
    /// Relayed with `X-Bloomgate-*` fields on top.
    TAG("tag"),
    /// Kept in the quarantine, not relayed, accepted.
    QUARANTINE("quarantine"),
    /// Answered 4xx: the client tries again later.
    DEFER("defer"),
    /// Accepted and dropped. Only where a place names it, and never when anything else asks for a refusal: who is
    /// refused learns of it.
    DISCARD("discard"),
    /// Answered 5xx.
    REJECT("reject");

    private final String label;

    Action(String label) {
        this.label = label;
    }

    static Action of(Cap cap) {
        return switch (cap) {
            case PASS -> PASS;
            case TAG -> TAG;
            case QUARANTINE -> QUARANTINE;
            case DEFER -> DEFER;
            case REJECT -> REJECT;
        };
    }

    /// The milder of the two.
    Action atMost(Action other) {
        return compareTo(other) <= 0 ? this : other;
    }

    /// The harder of the two.
    Action atLeast(Action other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /// The word in configuration, JSON, logs and metrics.
    public String label() {
        return label;
    }
}
