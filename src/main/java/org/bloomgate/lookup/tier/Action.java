package org.bloomgate.lookup.tier;

import org.bloomgate.base.config.Labelled;

/// What happens to a message, from the mildest to the hardest. Of several actions, the hardest applies.
public enum Action implements Labelled {
    /// Relayed untouched.
    PASS,
    /// Relayed with `X-Bloomgate-*` fields on top.
    TAG,
    /// Kept in the quarantine, not relayed, accepted.
    QUARANTINE,
    /// Answered 4xx: the client tries again later.
    DEFER,
    /// Accepted and dropped. Only if a place has this action, and never if anything else requires a rejection,
    /// of which the client learns.
    DISCARD,
    /// Answered 5xx.
    REJECT;

    /// Whether recipients get the message now, tagged or not.
    public boolean isDelivered() {
        return switch (this) {
            case PASS, TAG -> true;
            case QUARANTINE, DEFER, DISCARD, REJECT -> false;
        };
    }

    public boolean isHarderThan(Action other) {
        return compareTo(other) > 0;
    }

    /// The milder of the two.
    public Action atMost(Action other) {
        return compareTo(other) <= 0 ? this : other;
    }

    /// The harder of the two.
    public Action atLeast(Action other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /// Checks the hardest action that a listing of a category or feed may cause.
    ///
    /// @param key of the setting, for the error
    /// @throws IllegalArgumentException for `discard`: a list alone never drops mail silently
    public static void checkCap(String key, Action cap) {
        if (cap == DISCARD) {
            throw new IllegalArgumentException(key + ": 'discard' is none of pass, tag, quarantine, defer, reject");
        }
    }
}
