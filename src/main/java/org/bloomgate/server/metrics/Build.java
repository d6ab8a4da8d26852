package org.bloomgate.server.metrics;

/// The running build.
public final class Build {
    private Build() {}

    /// The version in the jar's manifest; `development` without one.
    public static String version() {
        String version = Build.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
