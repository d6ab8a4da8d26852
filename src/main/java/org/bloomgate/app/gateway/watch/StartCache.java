package org.bloomgate.app.gateway.watch;

import io.micrometer.core.instrument.Tags;
import org.bloomgate.base.config.Labelled;
import org.bloomgate.server.metrics.GatewayMetrics;

/// The state of the JVM's AOT cache (JEP 514), which the launcher determined before this process started.
public enum StartCache implements Labelled {
    /// In use.
    USED,
    /// Made by another jar, JDK or set of options: the JVM started without it.
    REFUSED,
    /// There was none, or the process was not started by the launcher.
    NONE;

    public static StartCache ofThisProcess() {
        return Labelled.find(StartCache.class, System.getProperty("bloomgate.aot", ""))
                .orElse(NONE);
    }

    public static void show(GatewayMetrics metrics) {
        for (StartCache state : values()) {
            metrics.registerGauge(
                    "aot.cache",
                    "1 for the state of the start-up cache",
                    Tags.of("state", state.label()),
                    () -> state == ofThisProcess() ? 1 : 0);
        }
    }
}
