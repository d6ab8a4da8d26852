package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.gateway.wiring.Gateway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Every file of state in every kind of damage: the gateway starts and takes mail.
@Timeout(240)
class DamagedStateIT extends CliRig {
    @BeforeEach
    void rebuild() throws IOException {
        configure("""
            snapshots: FOLDER/snapshots
            nextHop: "maildir:FOLDER/mail"
            http: { listen: "127.0.0.1:0" }
            state: FOLDER/state
            memory: { links: true, senders: true }
            policy: { categories: { phishing: quarantine } }
            smtp: { listen: "127.0.0.1:0" }
            feeds: FOLDER/feeds.yaml
            """, "name: test, kind: domain, format: lines, source: FOLDER/domains.txt, category: phishing");
        write("domains.txt", "listed.example\n");
        done("rebuild");
    }

    private interface Damage {
        void to(Path file) throws IOException;
    }

    private static final Map<String, Damage> DAMAGES = Map.ofEntries(
            Map.entry("0 bytes", file -> Files.write(file, new byte[0])),
            Map.entry("3 bytes", file -> Files.write(file, new byte[] {1, 2, 3})),
            Map.entry(
                    "garbage",
                    file -> Files.write(file, "\u0000\u00ffgarbage\n".repeat(40).getBytes(StandardCharsets.UTF_8))),
            Map.entry("newer version", file -> Files.write(file, newer(Files.readAllBytes(file)))),
            Map.entry("symbolic link", file -> {
                Files.move(file, file.resolveSibling(file.getFileName() + ".moved"));
                Files.createSymbolicLink(file, file.resolveSibling("missing"));
            }),
            Map.entry("a folder", file -> {
                Files.delete(file);
                Files.createDirectory(file);
            }),
            Map.entry("a pipe", DamagedStateIT::pipe),
            Map.entry("endless", file -> {
                Files.delete(file);
                Files.createSymbolicLink(file, Path.of("/dev/zero"));
            }),
            Map.entry("huge", DamagedStateIT::grow),
            Map.entry("of another user", DamagedStateIT::giveAway));

    private static void pipe(Path file) throws IOException {
        Files.delete(file);
        try {
            assertEquals(
                    0, new ProcessBuilder("mkfifo", file.toString()).start().waitFor());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /// A sparse file of a terabyte, which begins as it did.
    private static void grow(Path file) throws IOException {
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(1L << 40);
        }
    }

    /// Only root can do that; to others their own file stays.
    private static void giveAway(Path file) throws IOException {
        if (Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
            Files.setAttribute(file, "unix:uid", 64_000);
        }
    }

    private static byte[] newer(byte[] bytes) {
        byte[] other = bytes.clone();
        for (int i = 0; i < Math.min(12, other.length); i++) {
            other[i]++;
        }
        return other;
    }

    /// They are policy, not an extra: without the exceptions mail would be rejected that is to be accepted.
    @Test
    void damagedLocalEntries_preventTheStart() throws Exception {
        done("listing", "add", "domain", "local.example");
        Path entries = folder.resolve("state/local/entries.jsonl");
        Files.write(entries, new byte[] {1, 2, 3});
        Exception stopped = assertThrows(IOException.class, () -> use());
        assertTrue(String.valueOf(stopped.getMessage()).contains(entries + ": line 1"), stopped::getMessage);
    }

    /// All files are damaged at once, each in another way, until each was damaged in every way.
    @Test
    void damagedState_gatewayStartsAndAcceptsMail() throws Exception {
        use();
        done("listing", "add", "domain", "local.example");
        done("exception", "add", "domain", "excepted.example", "--reason", "test");
        use();
        keep();
        Path intact = folder.resolve("intact");
        copy(folder.resolve("state"), intact);
        List<Path> files = files(intact).stream()
                .filter(file -> !file.endsWith("local/entries.jsonl"))
                .toList();
        List<Map.Entry<String, Damage>> damages = List.copyOf(DAMAGES.entrySet());
        for (int first = 0; first < damages.size(); first++) {
            copy(intact, folder.resolve("state"));
            List<String> damaged = new ArrayList<>();
            for (int i = 0; i < files.size(); i++) {
                Map.Entry<String, Damage> damage = damages.get((first + i) % damages.size());
                Path relative = intact.relativize(files.get(i));
                damage.getValue().to(folder.resolve("state").resolve(relative));
                damaged.add(relative + ": " + damage.getKey());
            }
            assertEquals(Optional.empty(), withinReason(this::use), damaged::toString);
        }
    }

    /// Commands may fail, with a reason, but end.
    @Test
    void damagedState_commandsEndWithAReason() throws Exception {
        use();
        done("listing", "add", "domain", "local.example");
        keep();
        Map<String, String> wrong = new TreeMap<>();
        Path kept = folder.resolve("kept");
        copy(folder.resolve("state"), kept);
        for (Path file : files(kept)) {
            for (String damage : List.of("a pipe", "huge")) {
                copy(kept, folder.resolve("state"));
                Path relative = kept.relativize(file);
                Objects.requireNonNull(DAMAGES.get(damage))
                        .to(folder.resolve("state").resolve(relative));
                for (String command : COMMANDS) {
                    withinReason(() -> requireReason(command))
                            .ifPresent(fault -> wrong.put(relative + ": " + damage + ": " + command, fault));
                }
            }
        }
        assertEquals(Map.of(), wrong);
    }

    private static final List<String> COMMANDS = List.of(
            "listing list",
            "audit",
            "decisions",
            "retro --value domain good.example",
            "quarantine list",
            "rebuild --all");

    private void requireReason(String command) {
        Invocation done = run(command.split(" ", -1));
        assertTrue(done.status() <= ExitStatus.UNKNOWN && !done.toString().contains("\tat "), done::toString);
    }

    private interface Step {
        void run() throws Exception;
    }

    /// The fault of a step, also if it hangs: opening a pipe cannot be interrupted.
    private static Optional<String> withinReason(Step step) throws InterruptedException {
        FutureTask<Optional<String>> task = new FutureTask<>(() -> {
            try {
                step.run();
                return Optional.empty();
            } catch (Exception | AssertionError e) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        });
        Thread.ofPlatform().daemon().start(task);
        try {
            return task.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return Optional.of("hangs: " + e);
        }
    }

    private void use() throws Exception {
        try (Gateway gateway = startGateway()) {
            RunningGateway running = new RunningGateway(gateway);
            assertEquals("250", running.link("good.example"));
            assertEquals("250", running.send("friend@known.example", "hello"));
        }
    }

    /// A message in the quarantine.
    private void keep() throws Exception {
        try (Gateway gateway = startGateway()) {
            assertEquals("250", new RunningGateway(gateway).link("listed.example"));
        }
    }

    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            List<Path> files = all.filter(Files::isRegularFile).sorted().toList();
            assertTrue(files.size() > 5, files::toString);
            return files;
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        if (Files.exists(to)) {
            try (Stream<Path> all = Files.walk(to)) {
                for (Path path : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(path);
                }
            }
        }
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }
}
