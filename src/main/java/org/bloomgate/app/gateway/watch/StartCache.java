package org.bloomgate.app.gateway.watch;

import io.micrometer.core.instrument.Tags;
import java.util.Locale;
import org.bloomgate.server.metrics.GatewayMetrics;

/// The state of the JVM's AOT cache (JEP 514), which the launcher determined before this process began.
public enum StartCache {
    /// In use.
    USED,
    /// Made by another jar, JDK or set of options: the JVM started without it.
    REFUSED,
    /// There was none, or the process was not started by the launcher.
    NONE;

    public static StartCache ofThisProcess() {
        String label = System.getProperty("bloomgate.aot", "none");
        for (StartCache one : values()) {
            if (one.label().equals(label)) {
                return one;
            }
        }
        return NONE;
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static void show(GatewayMetrics metrics) {
        for (StartCache one : values()) {
            metrics.gauge(
                    "aot.cache",
                    "1 for what became of the start-up cache",
                    Tags.of("state", one.label()),
                    () -> one == ofThisProcess() ? 1 : 0);
        }
    }
}
