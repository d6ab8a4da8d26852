package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.app.gateway.wiring.Gateway;
import org.bloomgate.app.gateway.wiring.Reload;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// When the files of exports are rewritten, and when they must not be.
@Timeout(60)
class ExportsIT extends CliRig {
    private ConfigurationSource source;
    private Path zone;
    private Path local;

    @BeforeEach
    void build() throws IOException {
        zone = folder.resolve("zone");
        local = folder.resolve("local");
        source = new ConfigurationSource(file(), Map.of());
        reconfigure("");
        write("domains.txt", "listed.example\n");
        done("rebuild");
    }

    private void reconfigure(String more) throws IOException {
        configure(
                GATEWAY + """
                    local: { directory: FOLDER/entries }
                    exports:
                      rpz.example: { file: FOLDER/zone }
                      local.example: { lists: [local], file: FOLDER/local }
                    """ + more,
                "name: test, kind: domain, format: lines, source: FOLDER/domains.txt, category: phishing");
    }

    @Test
    void reloadWithOtherPolicy_rewritesFile() throws Exception {
        try (Gateway gateway = Gateway.start(source.read())) {
            await(() -> contains(zone, "listed.example"));
            reconfigure("policy: { categories: { phishing: tag } }\n");
            new Reload(source, gateway).now();
            await(() -> !contains(zone, "listed.example"));
        }
    }

    @Test
    void startWithDamagedSnapshot_leavesFile() throws Exception {
        assertEquals(
                ExitStatus.FINE,
                run("feeds", "export", "rpz.example", "--output", zone.toString())
                        .status());
        String before = Files.readString(zone);
        damage();
        assertEquals(
                ExitStatus.UNKNOWN,
                run("feeds", "export", "rpz.example", "--output", zone.toString())
                        .status());
        try (Gateway _ = Gateway.start(source.read())) {
            await(() -> contains(local, "SOA"));
        }
        assertEquals(before, Files.readString(zone));
    }

    private void damage() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("snapshots"))) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".pages")).toList()) {
                Files.write(file, new byte[0]);
            }
        }
    }

    private static boolean contains(Path file, String text) {
        try {
            return Files.exists(file) && Files.readString(file).contains(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + 10_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, "not within 10 s");
            Thread.onSpinWait();
        }
    }
}
