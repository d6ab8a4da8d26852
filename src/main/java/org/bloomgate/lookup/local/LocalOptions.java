package org.bloomgate.lookup.local;

import java.nio.file.Path;

/// The `local` section of the configuration.
///
/// @param directory of the file that holds local listings and exceptions
public record LocalOptions(Path directory) {

    public static LocalOptions defaults() {
        return new LocalOptions(Path.of("var/local"));
    }
}
