package org.bloomgate.app.cli.common;

import picocli.CommandLine.IVersionProvider;

/// The version in the jar's manifest.
public final class Version implements IVersionProvider {

    public static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"bloomgate " + text()};
    }
}
