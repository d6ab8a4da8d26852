package org.bloomgate.server.metrics;

/// Which build runs.
public final class Build {
    private Build() {}

    /// In the jar's manifest; `development` without one.
    public static String version() {
        String version = Build.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
