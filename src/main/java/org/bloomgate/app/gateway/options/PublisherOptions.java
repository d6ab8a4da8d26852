package org.bloomgate.app.gateway.options;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.bloomgate.base.config.NotASetting;
import org.bloomgate.lists.snapshot.Statement;

/// The `publisher` section of the configuration.
///
/// @param currentKey PEM file of the Ed25519 key that signs the published state; `rebuild.signingKey` when absent
/// @param directory in which the files for mirrors are written too, for a static web server; none when absent
/// @param expires time after which mirrors no longer trust a statement
public record PublisherOptions(
        Optional<Path> currentKey,
        Optional<Path> directory,
        @NotASetting Duration expires) {
    /// A shorter time would be too short to publish again.
    static final Duration MIN_EXPIRES = Duration.ofSeconds(4);

    /// @throws IllegalArgumentException if mirrors would not accept the time; the message names the key
    public PublisherOptions {
        if (expires.compareTo(MIN_EXPIRES) < 0 || expires.compareTo(Statement.MAX_LIFETIME.minusDays(1)) > 0) {
            throw new IllegalArgumentException("expires must be 4s to 365d");
        }
    }

    static PublisherOptions defaults() {
        return new PublisherOptions(Optional.empty(), Optional.empty(), Duration.ofHours(36));
    }
}
