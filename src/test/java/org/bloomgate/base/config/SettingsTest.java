package org.bloomgate.base.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
    @TempDir
    private Path folder;

    /// Options to read.
    record Options(String name, int size, String adminToken, List<String> names) {}

    private static final Options DEFAULTS = new Options("a", 1, "", List.of());

    @Test
    void settings_haveValueDefaultAndPlace() throws IOException, ConfigException {
        Path file = folder.resolve("x.yaml");
        Files.writeString(file, "size: 2\nname: a\nnames: [b, c]\n");
        List<Setting> settings = ConfigReader.parse(file, Map.of(), Map.of("adminToken", "secret"), DEFAULTS)
                .settings(DEFAULTS);
        assertEquals(
                List.of(
                        "adminToken '(set)' '' true --set adminToken 0",
                        "names '[b, c]' '[]' true x.yaml:3 3",
                        "size '2' '1' true x.yaml:1 1",
                        "name 'a' 'a' false x.yaml:2 2"),
                settings.stream().map(this::line).toList());
        assertEquals(
                Optional.empty(),
                ConfigReader.parse(Files.writeString(file, ""), Map.of(), Map.of(), DEFAULTS)
                        .settings(DEFAULTS)
                        .getFirst()
                        .origin());
    }

    private String line(Setting one) {
        return one.key() + " '" + one.value() + "' '" + one.defaultValue() + "' " + one.differs() + " "
                + one.origin().orElse("-").replace(folder + "/", "") + " "
                + one.line().orElse(0);
    }
}
