package org.bloomgate.gateway;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.bloomgate.snapshot.Announced;

/// The `publisher` section of the configuration.
///
/// @param currentKey PEM file of the key that says what is current, and of a second one of ML-DSA-44 where there is
///     one; `rebuild.signingKey` when absent
/// @param expires how long mirrors believe that nothing newer was said
/// @param tokens the token of each mirror that may report, by a name for it
public record PublisherOptions(Optional<Path> currentKey, Duration expires, Map<String, String> tokens) {
    /// Less is no time to say it again in.
    static final Duration MIN_EXPIRES = Duration.ofSeconds(4);

    /// Each has metrics of its own.
    static final int MAX_MIRRORS = 1000;

    static final int MIN_TOKEN_CHARS = 16;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /// @throws IllegalArgumentException when mirrors would not believe it; the message names the key
    public PublisherOptions {
        tokens = Map.copyOf(tokens);
        requireTokens(tokens);
        if (expires.compareTo(MIN_EXPIRES) < 0 || expires.compareTo(Announced.MAX_LIFETIME.minusDays(1)) > 0) {
            throw new IllegalArgumentException("expires must be 4s to 365d");
        }
    }

    static PublisherOptions defaults() {
        return new PublisherOptions(Optional.empty(), Duration.ofHours(36), Map.of());
    }

    private static void requireTokens(Map<String, String> tokens) {
        if (tokens.size() > MAX_MIRRORS) {
            throw new IllegalArgumentException("tokens must be " + MAX_MIRRORS + " at most");
        }
        if (!tokens.keySet().stream().allMatch(name -> NAME.matcher(name).matches())) {
            throw new IllegalArgumentException("tokens must have names of 1 to 64 of A-Z a-z 0-9 . _ -");
        }
        if (tokens.values().stream().anyMatch(token -> token.length() < MIN_TOKEN_CHARS)
                || Set.copyOf(tokens.values()).size() < tokens.size()) {
            throw new IllegalArgumentException(
                    "tokens must each have a token of its own of " + MIN_TOKEN_CHARS + " characters or more");
        }
    }

    /// The tokens are not shown.
    @Override
    public String toString() {
        return "PublisherOptions[" + tokens.keySet() + "]";
    }
}
