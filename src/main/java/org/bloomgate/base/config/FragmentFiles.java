package org.bloomgate.base.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.base.io.IoText;

/// The files of a folder that continues a configuration file.
final class FragmentFiles {
    static final String ENDING = ".yaml";

    private FragmentFiles() {}

    /// The files `*.yaml` in byte order of their names, without hidden ones. Empty if the folder does not exist.
    ///
    /// @throws ConfigException if the folder cannot be read
    static List<Path> in(Path folder) throws ConfigException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> isFragment(String.valueOf(file.getFileName())))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new ConfigException(List.of(new ConfigError(folder.toString(), "cannot be read: " + IoText.of(e))));
        }
    }

    private static boolean isFragment(String name) {
        return name.endsWith(ENDING) && !name.startsWith(".");
    }
}
