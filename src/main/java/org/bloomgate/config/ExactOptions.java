package org.bloomgate.config;

import java.time.Duration;
import java.util.Map;
import org.bloomgate.policy.Action;

/// The `exact` section of the configuration.
///
/// @param store where the exact tier is
/// @param deadline for all suspects of one message together
/// @param onUnknown what happens when the exact tier cannot say, by feed category; `default` for the rest
public record ExactOptions(Store store, Duration deadline, Map<String, Action> onUnknown) {

    /// Where listings are looked up.
    public enum Store {
        /// In the store of the snapshot, in this process.
        EMBEDDED
    }

    public ExactOptions {
        onUnknown = Map.copyOf(onUnknown);
        if (!deadline.isPositive()) {
            throw new IllegalArgumentException("exact.deadline must be above 0");
        }
    }

    public static ExactOptions defaults() {
        return new ExactOptions(
                Store.EMBEDDED, Duration.ofMillis(250), Map.of("default", Action.TAG, "malware", Action.DEFER));
    }
}
