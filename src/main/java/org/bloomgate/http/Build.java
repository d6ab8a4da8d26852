package org.bloomgate.http;

/// Which build runs.
final class Build {
    private Build() {}

    /// In the jar's manifest; `development` without one.
    static String version() {
        String version = Build.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
