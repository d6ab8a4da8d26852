package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.Rounds;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.decision.keyjournal.Deliveries;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildReport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whatever one feed holds, the entries of all others are published.
class HostileFeedTest {
    private static final List<String> EVERYBODYS = List.of("one.example", "two.example", "three.example");

    @TempDir
    private Path folder;

    private RebuildRig rig = new RebuildRig(Path.of(""));

    @BeforeEach
    void newRig() {
        rig = new RebuildRig(folder);
    }

    /// What a feed held yesterday and holds today.
    record Hostility(String name, List<String> before, List<String> today) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Stream<Hostility> hostilities() {
        return Stream.of(
                new Hostility("grows", names("h", 50), names("h", 5_000)),
                new Hostility("shrinks", names("h", 5_000), names("h", 1)),
                new Hostility("changes all", names("h", 300), names("i", 900)),
                new Hostility("lists everybodys hosts", names("h", 50), joined(names("h", 50), EVERYBODYS)),
                new Hostility("lists one of them", names("h", 50), joined(names("h", 50), EVERYBODYS.subList(0, 1))),
                new Hostility(
                        "lists shared hosts",
                        names("h", 50),
                        joined(names("h", 50), List.of("docs.google.com", "s3.amazonaws.com", "bit.ly", "web.app"))),
                new Hostility(
                        "lists only shared hosts",
                        names("h", 50),
                        List.of("docs.google.com", "storage.googleapis.com", "github.io")),
                new Hostility(
                        "is a page", names("h", 50), List.of("<!DOCTYPE html>", "<html><body>busy</body></html>")),
                new Hostility("is noise", names("h", 50), noise()),
                new Hostility("is empty", names("h", 50), List.of()));
    }

    private static List<String> names(String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> prefix + i + ".hostile.test")
                .toList();
    }

    private static List<String> joined(List<String> some, List<String> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    private static List<String> noise() {
        SplittableRandom random = new SplittableRandom(7);
        return IntStream.range(0, 500)
                .mapToObj(i -> random.ints(40, 1, 0x250)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString())
                .toList();
    }

    /// Mail that everybody gets, day by day.
    private void mailOfEveryDay() throws IOException {
        for (String host : EVERYBODYS) {
            Deliveries.record(rig.mail(), rig.now.minus(Duration.ofHours(30)), 20, host);
            Deliveries.record(rig.mail(), rig.now.minus(Duration.ofHours(2)), 20, host);
        }
    }

    private void assertOthersArePublished(RebuildReport report, int others) throws IOException {
        assertEquals(Optional.empty(), report.closedGate(), report::toString);
        for (int i = 0; i < others; i += 7) {
            assertEquals(Set.of("list" + i), rig.listedBy("new." + i + ".example"));
        }
        for (String host : EVERYBODYS) {
            assertEquals(Set.of(), rig.listedBy(host));
        }
        assertEquals(Set.of(), rig.listedBy("docs.google.com"));
        assertTrue(report.failedFeeds().stream().allMatch(feed -> feed.name().startsWith("hostile")), report::toString);
    }

    @ParameterizedTest
    @MethodSource("hostilities")
    void hostileChange_affectsNoOtherFeed(Hostility hostility) throws Exception {
        int others = 8;
        for (int i = 0; i < others; i++) {
            rig.feed("list" + i, KeyKind.DOMAIN, "old." + i + ".example");
        }
        rig.feed("hostile", KeyKind.DOMAIN, hostility.before.toArray(String[]::new));
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
        rig.daysPass(1);
        mailOfEveryDay();
        for (int i = 0; i < others; i++) {
            rig.content("list" + i, "old." + i + ".example", "new." + i + ".example");
        }
        rig.content("hostile", hostility.today.toArray(String[]::new));
        assertOthersArePublished(rig.run(), others);
        assertEquals(List.of(), rig.leftovers());
    }

    @ParameterizedTest
    @MethodSource("hostilities")
    void hostileFirstFetch_affectsNoOtherFeed(Hostility hostility) throws Exception {
        rig.feed("list0", KeyKind.DOMAIN, "old.0.example");
        rig.run();
        rig.daysPass(1);
        mailOfEveryDay();
        rig.content("list0", "old.0.example", "new.0.example");
        rig.feed("hostile", KeyKind.DOMAIN, hostility.today.toArray(String[]::new));
        assertOthersArePublished(rig.run(), 1);
    }

    /// Pieces of every kind of line, wild or well-formed, in a list of each format at once.
    @Test
    void randomContent_affectsNoOtherFeed() throws Exception {
        List<FeedFormat> formats =
                List.of(FeedFormat.LINES, FeedFormat.HOSTS, FeedFormat.ADBLOCK, FeedFormat.WILDCARD, FeedFormat.RPZ);
        rig.feed("list0", KeyKind.DOMAIN, "new.0.example");
        for (FeedFormat format : formats) {
            rig.feed("hostile-" + format, KeyKind.DOMAIN, "h.hostile.test")
                    .feedOption("hostile-" + format, "format", format);
        }
        mailOfEveryDay();
        SplittableRandom random = new SplittableRandom(20);
        String[] pieces = {
            "one.example",
            "two.example",
            "three.example",
            "docs.google.com",
            "s3.amazonaws.com",
            "||x.test^",
            "com",
            "*.test",
            "\u0000",
            "\n",
            " ",
            "#",
            "0.0.0.0 ",
            "/re/",
            "http://docs.google.com/",
            "@",
            "\u202e",
            "xn--",
            "[2001:db8::1]"
        };
        for (int round = 0; round < Rounds.of(20); round++) {
            for (FeedFormat format : formats) {
                Files.writeString(rig.source("hostile-" + format), content(random, pieces));
            }
            assertOthersArePublished(rig.run(), 1);
        }
    }

    private static String content(SplittableRandom random, String[] pieces) {
        StringBuilder content = new StringBuilder();
        for (int i = random.nextInt(60); i > 0; i--) {
            content.append(pieces[random.nextInt(pieces.length)]).append(random.nextBoolean() ? "\n" : "");
        }
        return content.toString();
    }
}
