package org.bloomgate.policy;

/// What happens to a message, from the mildest to the hardest.
public enum Action {
    /// Relayed untouched.
    PASS("pass"),
    /// Relayed with `X-Bloomgate-*` fields on top.
    TAG("tag"),
    /// Kept in the quarantine, not relayed, accepted.
    QUARANTINE("quarantine"),
    /// Answered 4xx: the client tries again later.
    DEFER("defer"),
    /// Answered 5xx.
    REJECT("reject"),
    /// Accepted and dropped. Only where a rule names it.
    DISCARD("discard");

    private final String label;

    Action(String label) {
        this.label = label;
    }

    /// The word in configuration, JSON, logs and metrics.
    public String label() {
        return label;
    }
}
