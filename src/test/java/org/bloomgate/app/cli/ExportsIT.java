package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.app.gateway.wiring.Gateway;
import org.bloomgate.app.gateway.wiring.Reload;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// When the files of exports are rewritten, and when they must not be.
@Timeout(60)
class ExportsIT {
    @TempDir
    private Path folder;

    private ConfigurationSource source;
    private Path zone;
    private Path local;

    @BeforeEach
    void build() throws IOException {
        zone = folder.resolve("zone");
        local = folder.resolve("local");
        source = new ConfigurationSource(folder.resolve("bloomgate.yaml"), Map.of());
        configure("");
        Files.writeString(folder.resolve("domains.txt"), "listed.example\n");
        Files.writeString(folder.resolve("feeds.yaml"), """
                feeds:
                  - { name: test, kind: domain, format: lines, source: "FOLDER/domains.txt", category: phishing }
                """.replace("FOLDER", folder.toString()));
        assertEquals(ExitStatus.FINE, run("rebuild"));
    }

    private void configure(String more) throws IOException {
        Files.writeString(source.file(), ("""
                state: FOLDER
                nextHop: "maildir:FOLDER/mail"
                http: { listen: "127.0.0.1:0" }
                local: { directory: FOLDER/entries }
                smtp: { listen: "127.0.0.1:0" }
                feeds: FOLDER/feeds.yaml
                exports:
                  rpz.example: { file: FOLDER/zone }
                  local.example: { lists: [local], file: FOLDER/local }
                """ + more).replace("FOLDER", folder.toString()));
    }

    private int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("-c", source.file().toString()));
        return Invocation.of("", all).status();
    }

    @Test
    void reloadWithOtherPolicy_rewritesFile() throws Exception {
        try (Gateway gateway = Gateway.start(source.read())) {
            await(() -> contains(zone, "listed.example"));
            configure("policy: { categories: { phishing: tag } }\n");
            new Reload(source, gateway).now();
            await(() -> !contains(zone, "listed.example"));
        }
    }

    @Test
    void startWithDamagedSnapshot_leavesFile() throws Exception {
        assertEquals(ExitStatus.FINE, run("feeds", "export", "rpz.example", "--output", zone.toString()));
        String before = Files.readString(zone);
        damage();
        assertEquals(ExitStatus.UNKNOWN, run("feeds", "export", "rpz.example", "--output", zone.toString()));
        try (Gateway _ = Gateway.start(source.read())) {
            await(() -> contains(local, "SOA"));
        }
        assertEquals(before, Files.readString(zone));
    }

    private void damage() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("snapshots"))) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".sst")).toList()) {
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
