package org.bloomgate.base.config;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.base.config.ConfigNode.Mapping;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The shipped `bloomgate.yaml` is the documentation of the defaults: it must name every key, with the default
/// beside.
class ShippedConfigurationTest {
    private static final Path SHIPPED = Path.of("config/bloomgate.yaml");

    @Test
    void shippedValue_isTheDefault() throws Exception {
        assertEquals(
                Configuration.defaults(), ConfigReader.read(SHIPPED, Map.of(), Map.of(), Configuration.defaults()));
    }

    @Test
    void everyKey_isShipped() throws Exception {
        Set<String> written = new TreeSet<>();
        collect(ConfigParser.parse(SHIPPED), "", written);
        Set<String> missing = new TreeSet<>(
                OptionRecords.collectOptions(Configuration.defaults()).keySet());
        missing.removeIf(key -> written.contains(key) || written.stream().anyMatch(w -> w.startsWith(key + ".")));
        assertEquals(Set.of(), missing);
    }

    @Test
    void everySection_isCommented() throws Exception {
        List<String> lines = Files.readAllLines(SHIPPED);
        long comments =
                lines.stream().filter(line -> line.strip().startsWith("#")).count();
        assertTrue(comments > 40, comments + " comment lines");
    }

    @Test
    void unit_createsTheFolderOfTheMilterSocket() throws Exception {
        List<String> unit = Files.readAllLines(Path.of("config/systemd/bloomgate.service"));
        assertTrue(unit.containsAll(List.of("RuntimeDirectory=bloomgate", "RuntimeDirectoryMode=0750")));
    }

    /// The first YAML of a page.
    private static Configuration howTo(String page, Path folder) throws Exception {
        String yaml = Files.readString(Path.of(page))
                .split("```yaml\n", -1)[1]
                .split("```", -1)[0]
                .stripIndent();
        return ConfigReader.read(
                Files.writeString(folder.resolve("c.yaml"), yaml), Map.of(), Map.of(), Configuration.defaults());
    }

    @Test
    void howToForPostfix_isAConfiguration(@TempDir Path folder) throws Exception {
        Configuration read = howTo("config/postfix/README.md", folder);
        assertEquals("smtp://127.0.0.1:10026", read.nextHop());
        assertTrue(read.policy().shadow());
    }

    @Test
    void howToForDns_isAConfiguration(@TempDir Path folder) throws Exception {
        Configuration read = howTo("config/dns/README.md", folder);
        assertEquals(
                Set.of(1, 3),
                read.dns().zones().values().stream()
                        .map(zone -> zone.codes().size())
                        .collect(toSet()));
    }

    private static void collect(ConfigNode node, String path, Set<String> into) {
        if (node instanceof Mapping mapping && !mapping.entries().isEmpty()) {
            mapping.entries().forEach((key, value) -> collect(value, path.isEmpty() ? key : path + "." + key, into));
        } else {
            into.add(path);
        }
    }
}
