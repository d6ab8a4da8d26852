package org.bloomgate.app.cli.rebuild;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.app.cli.common.ConfigurationOptions;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.wiring.Rebuilds;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.SnapshotReader;

/// The command line of a rebuild as a child process of a gateway, and its end when the parent ends.
public final class RebuildChild {
    static final String OPTION = "--child";

    /// Heap in addition to the memory of the sort. Mapped filters and stores are not in the heap.
    private static final long HEAP_WITHOUT_SORT_BYTES = 192L << 20;

    private static final String MAIN_CLASS = "org.bloomgate.app.cli.Bloomgate";
    private static final String JAR = ".jar";

    /// Up to about a million entries, a rebuild ends before the code of the C2 compiler would repay its compile
    /// time.
    private static final long SMALL_ENTRIES = 1_500_000;

    /// The exit status as after SIGTERM.
    private static final int PARENT_GONE = 143;

    private RebuildChild() {}

    /// The command that rebuilds a layer, or goes back to an earlier generation of it, with the configuration of this
    /// process.
    public static List<String> command(Configuration read, ConfigurationOptions options, Rebuilds.Task task) {
        List<String> command = new ArrayList<>();
        nice().ifPresent(nice -> command.addAll(List.of(nice.toString(), "-n", "10")));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home", ""), "bin", "java").toString(),
                "-Xmx" + (read.rebuild().sortMemoryBytes() + HEAP_WITHOUT_SORT_BYTES),
                "-XX:+UseSerialGC",
                "-XX:+UseCompactObjectHeaders",
                "-XX:+ExitOnOutOfMemoryError",
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir", "/tmp")));
        if (isSmall(new LayerDirectory(read.snapshots(), task.cadence().layer()))) {
            command.add("-XX:TieredStopAtLevel=1");
        }
        command.addAll(program(
                System.getProperty("java.class.path", ""),
                System.getProperty("bloomgate.aot", "none").equals("used")));
        command.addAll(arguments(task));
        command.addAll(List.of("--layer", task.cadence().layer(), OPTION, "-c", options.file.toString()));
        for (Map.Entry<String, String> set : options.sets.entrySet()) {
            command.addAll(List.of("--set", set.getKey() + "=" + set.getValue()));
        }
        return command;
    }

    private static List<String> arguments(Rebuilds.Task task) {
        if (task.operation().isEmpty()) {
            return List.of("rebuild", "--due", "--wait", "1d");
        }
        return switch (task.operation().get()) {
            case REBUILD -> List.of("rebuild");
            case ROLLBACK ->
                Stream.concat(Stream.of("rollback"), task.generation().stream()).toList();
        };
    }

    /// The command line of this program, with its AOT cache if the launcher gave one to this process: next to
    /// the jar, with its name. A JVM does not use the cache if an option grants native access, so the jar's
    /// manifest grants it.
    static List<String> program(String classPath, boolean cacheUsed) {
        if (cacheUsed && classPath.endsWith(JAR)) {
            String cache = classPath.substring(0, classPath.length() - JAR.length()) + ".aot";
            return List.of("-XX:AOTCache=" + cache, "-Xlog:aot*=off", "-Xlog:cds*=off", "-jar", classPath);
        }
        return List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath, MAIN_CLASS);
    }

    /// Whether the current generation is so small that the C2 compiler does not pay.
    static boolean isSmall(LayerDirectory layer) {
        try {
            Optional<String> current = layer.readCurrent();
            return current.isPresent()
                    && new SnapshotReader()
                                    .readManifest(layer.resolveGeneration(current.get()))
                                    .countEntries()
                            <= SMALL_ENTRIES;
        } catch (IOException e) {
            return false;
        }
    }

    private static Optional<Path> nice() {
        return Stream.of("/usr/bin/nice", "/bin/nice")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// Ends this process when its stdin ends, which only its parent holds open, so also when the parent is
    /// killed. A running rebuild cleans up as after SIGTERM. Feeds cannot be read from stdin then.
    static void endWithParent() {
        InputStream parent = System.in;
        System.setIn(InputStream.nullInputStream());
        BackgroundTask _ = BackgroundTask.start("parent", () -> {
            try {
                while (parent.read() >= 0) {
                    // stdin stays silent
                }
            } catch (IOException e) {
                // the same as the end of stdin
            }
            System.exit(PARENT_GONE);
        });
    }
}
