package org.bloomgate.lists.mirror;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.bloomgate.base.config.NotASetting;
import org.bloomgate.base.net.BearerToken;
import org.bloomgate.base.net.WebAddress;

/// The `mirror` section of the configuration.
///
/// @param url of a publisher, without `/v1/snapshots`; empty: nothing is fetched
/// @param interval between two requests for the published state, varied by up to a tenth
/// @param caFile PEM certificates that an https publisher's is checked by; those of the Java runtime when
///     absent
/// @param timeout to connect; also the time over which the rate of an answer is measured
/// @param maxBytes of one snapshot
/// @param onExpired what to do when the last statement of the publisher has expired
/// @param exceptions whether exceptions of the publisher's operators apply here
/// @param token of the role fleet at the publisher; empty to send none
public record MirrorOptions(
        String url,
        Duration interval,
        Optional<Path> caFile,
        @NotASetting Duration timeout,
        @NotASetting long maxBytes,
        OnExpired onExpired,
        boolean exceptions,
        String token) {

    /// The current generations stay in use in either case.
    public enum OnExpired {
        /// Readiness, status and metrics show it.
        ALARM,
        /// In addition, the machine is not ready, so that a load balancer uses others.
        UNREADY
    }

    /// @throws IllegalArgumentException if nothing could be fetched with these values; the message names the
    ///     key
    public MirrorOptions {
        if (!url.isEmpty()) {
            WebAddress.requireValid("url", url);
        }
        BearerToken.requireSendable(token);
        if (interval.toMillis() <= 0) {
            throw new IllegalArgumentException("interval must be above 0");
        }
        if (timeout.toMillis() <= 0) {
            throw new IllegalArgumentException("timeout must be above 0");
        }
        if (maxBytes <= 0) {
            throw new IllegalArgumentException("maxBytes must be above 0");
        }
    }

    public static MirrorOptions defaults() {
        return new MirrorOptions(
                "",
                Duration.ofMinutes(1),
                Optional.empty(),
                Duration.ofSeconds(10),
                64L << 30,
                OnExpired.ALARM,
                false,
                "");
    }

    public boolean isEnabled() {
        return !url.isEmpty();
    }
}
