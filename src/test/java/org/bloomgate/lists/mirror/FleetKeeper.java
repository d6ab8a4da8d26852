package org.bloomgate.lists.mirror;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bloomgate.lists.layer.PublishedTree;
import org.bloomgate.lists.snapshot.PublishedStateWriter;
import org.bloomgate.lists.snapshot.SharedEntriesWriter;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.Snapshots;

/// A process that is a publisher and its mirror: it publishes one state after the other, follows, and says
/// which number is in force, until it is killed.
final class FleetKeeper {
    private static final Duration LIFETIME = Duration.ofHours(1);
    private static final InstantSource CLOCK = InstantSource.fixed(Snapshots.NOW);

    private FleetKeeper() {}

    /// @param arguments folder, first number or -1 to publish nothing, lines of each state
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        int lines = Integer.parseInt(arguments[2]);
        try (ScriptedPublisher publisher = publisher(folder.resolve("theirs"))) {
            for (int i = Integer.parseInt(arguments[1]); ; i++) {
                if (i >= 0) {
                    publish(folder.resolve("theirs"), i, lines);
                    boolean _ = tree(folder).update();
                }
                follow(publisher.url(), folder.resolve("ours"));
                System.out.println(i);
            }
        }
    }

    static PublishedTree tree(Path folder) {
        return new PublishedTree(folder.resolve("theirs"), folder.resolve("www"), CLOCK);
    }

    static ScriptedPublisher publisher(Path root) throws IOException {
        ScriptedPublisher publisher = new ScriptedPublisher(root);
        publisher.publishWith(new PublishedStateWriter(root, Optional.empty(), LIFETIME, CLOCK));
        return publisher;
    }

    static void publish(Path root, int number, int lines) throws IOException {
        String _ = Snapshots.publish(root, "nightly", domain(number)).generation();
        say(root, number, lines);
    }

    /// That number, beside what is current.
    static void say(Path root, int number, int lines) throws IOException {
        boolean _ = new PublishedStateWriter(root, Optional.empty(), LIFETIME, CLOCK).publish();
        boolean _ = new SharedEntriesWriter(root, Optional.empty(), Optional.empty(), LIFETIME, CLOCK)
                .publish(() -> SharedEntriesWriter.Entries.of(state(number, lines)));
    }

    static void follow(String url, Path root) throws IOException, InterruptedException {
        MirrorOptions options = new MirrorOptions(
                url,
                Duration.ofHours(1),
                Optional.empty(),
                Duration.ofSeconds(20),
                1 << 24,
                MirrorOptions.OnExpired.ALARM,
                false,
                "");
        PublisherEntries lastSeen = new PublisherEntries(root, new SnapshotReader(), false, OneSharedHost::new, CLOCK);
        try (Mirror mirror = new Mirror(options, root, new SnapshotReader(), 2, CLOCK);
                SharedEntriesFollower follower = new SharedEntriesFollower(options, lastSeen, _ -> {}, CLOCK)) {
            if (!mirror.runRound() || !follower.runRound()) {
                throw new IOException(mirror.readStatus().faults() + " "
                        + follower.readStatus().faults());
            }
        }
    }

    static String domain(int number) {
        return "d" + number + ".example";
    }

    /// Every line holds the number, so that two states cannot be mixed unseen.
    static String state(int number, int lines) {
        return IntStream.range(0, lines)
                .mapToObj(line -> "{\"type\":\"listing\",\"kind\":\"domain\",\"value\":\"l" + line + "."
                        + domain(number) + "\",\"match\":\"suffix\",\"added\":\"2026-11-20T00:00:00Z\"}\n")
                .collect(Collectors.joining());
    }
}
