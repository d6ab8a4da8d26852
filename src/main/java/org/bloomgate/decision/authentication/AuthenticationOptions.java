package org.bloomgate.decision.authentication;

import java.time.Duration;
import java.util.List;
import org.bloomgate.core.text.TextForms;

/// The `authentication` section of the configuration.
///
/// @param authservIds ids whose Authentication-Results fields count
/// @param onUnknown what is done if a query for the proof of a sender fails
/// @param deadline of all DNS queries of one message
public record AuthenticationOptions(List<String> authservIds, OnUnknown onUnknown, Duration deadline) {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /// The effect of a listing that an exception would override if the sender were authenticated.
    public enum OnUnknown {
        /// A reject, discard or quarantine becomes a temporary error.
        DEFER,
        /// The listing counts.
        COUNT
    }

    public AuthenticationOptions {
        authservIds = authservIds.stream().map(TextForms::lowerCase).toList();
        if (deadline.isNegative() || deadline.isZero() || deadline.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("deadline: more than 0s, at most " + LONGEST.toSeconds() + "s");
        }
    }

    public static AuthenticationOptions defaults() {
        return new AuthenticationOptions(List.of(), OnUnknown.DEFER, Duration.ofSeconds(5));
    }
}
