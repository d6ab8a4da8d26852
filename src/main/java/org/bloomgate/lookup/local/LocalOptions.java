package org.bloomgate.lookup.local;

import java.nio.file.Path;
import org.bloomgate.base.config.EmptyIsDefault;

/// The `local` section of the configuration.
///
/// @param directory of the file that holds local listings and exceptions
public record LocalOptions(@EmptyIsDefault Path directory) {

    /// @param state folder of all state
    public static LocalOptions defaults(Path state) {
        return new LocalOptions(state.resolve("local"));
    }
}
