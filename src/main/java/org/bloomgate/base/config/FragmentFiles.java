package org.bloomgate.base.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.base.io.IoText;

/// The files of a folder that continues a configuration file.
final class FragmentFiles {
    /// The endings of their names; a new file gets the first.
    private static final List<String> ENDINGS = List.of(".yaml", ".yml");

    private FragmentFiles() {}

    /// The files `*.yaml` and `*.yml` in byte order of their names, without hidden ones. Empty if the folder does not
    /// exist.
    ///
    /// @throws ConfigException if the folder cannot be read
    static List<Path> list(Path folder) throws ConfigException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(FragmentFiles::isFragment).sorted().toList();
        } catch (IOException e) {
            throw new ConfigException(List.of(new ConfigError(folder.toString(), "cannot be read: " + IoText.of(e))));
        }
    }

    private static boolean isFragment(Path file) {
        String name = String.valueOf(file.getFileName());
        return !name.startsWith(".") && ENDINGS.stream().anyMatch(name::endsWith);
    }

    /// The name of a file without its ending.
    static String removeEnding(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.substring(0, name.lastIndexOf('.'));
    }

    /// The file with this name without its ending, or where a new one belongs.
    static Path find(Path folder, String stem) {
        return ENDINGS.stream()
                .map(ending -> folder.resolve(stem + ending))
                .filter(Files::exists)
                .findFirst()
                .orElseGet(() -> folder.resolve(stem + ENDINGS.getFirst()));
    }
}
