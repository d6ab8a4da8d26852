package org.bloomgate.decision.journal;

import static org.bloomgate.decision.journal.MessageCounts.HOURS;
import static org.bloomgate.decision.journal.MessageCounts.MAX_FEEDS;
import static org.bloomgate.decision.journal.MessageCounts.OTHER_FEEDS;
import static org.bloomgate.decision.journal.MessageCountsFile.MAX_BYTES;
import static org.bloomgate.decision.journal.MessageCountsFile.OF_GATEWAY;
import static org.bloomgate.decision.journal.MessageCountsFile.OF_LOOKUP;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bloomgate.decision.journal.DayTotals.FeedTotals;
import org.bloomgate.decision.journal.DayTotals.StageTotals;
import org.bloomgate.decision.keyjournal.KeyJournalOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageCountsTest {
    private static final Instant NOON = Decisions.NOON;

    @TempDir
    Path directory;

    private final MessageCounts counts = new MessageCounts();

    private static Decision rejectedBy(String feed, Instant time) {
        return Decisions.done(time, feed, "reject", "reject", Map.of());
    }

    private static Decision passed(Instant time) {
        return Decisions.done(time, "", "pass", "pass", Map.of());
    }

    private static Instant after(long hours) {
        return NOON.plus(Duration.ofHours(hours));
    }

    private MessageCountsFile open(MessageCounts of) {
        return open(directory, OF_GATEWAY, of);
    }

    private static MessageCountsFile open(Path folder, String name, MessageCounts of) {
        return MessageCountsFile.open(
                new JournalOptions(folder, 1, 1 << 20, true, KeyJournalOptions.defaults(Path.of("var"))), name, of);
    }

    private static List<Long> passedIn(HourTotals totals) {
        return totals.messages().getOrDefault("pass", List.of());
    }

    /// The counts of the file as it is.
    private MessageCounts restored() {
        MessageCounts restored = new MessageCounts();
        open(restored).close();
        return restored;
    }

    @Test
    void hoursWithoutMessages_areZero() {
        counts.add(passed(NOON.plusSeconds(3_599)));
        counts.add(passed(after(3)));
        counts.add(passed(after(3)));
        HourTotals totals = counts.hours(after(4).plusSeconds(1));
        List<Long> passed = new ArrayList<>(Collections.nCopies(HOURS - 5, 0L));
        passed.addAll(List.of(1L, 0L, 0L, 2L, 0L));
        assertEquals(Map.of("pass", passed), totals.messages());
        assertEquals(after(4 - HOURS + 1), totals.from());
    }

    @Test
    void hours_areThoseOfFourteenDays() {
        counts.add(rejectedBy("sample", NOON));
        counts.add(passed(NOON));
        assertEquals(1L, passedIn(counts.hours(after(HOURS - 1))).getFirst());
        assertEquals(Map.of(), counts.hours(after(HOURS)).messages());
        counts.add(passed(after(HOURS)));
        HourTotals totals = counts.hours(after(HOURS));
        assertEquals(List.of("pass"), List.copyOf(totals.messages().keySet()));
        assertEquals(1L, passedIn(totals).getLast());
    }

    @Test
    void day_isTwentyFourHours() {
        counts.add(rejectedBy("sample", NOON));
        counts.add(passed(after(23)));
        DayTotals day = counts.day(after(23));
        assertEquals(NOON, day.from());
        assertEquals(Map.of("pass", 1L, "reject", 1L), day.messages());
        DayTotals next = counts.day(after(24));
        assertEquals(Map.of("pass", 1L), next.messages());
        assertEquals(List.of(), next.feeds());
    }

    @Test
    void lateMessage_countsInItsOwnHour() {
        counts.add(passed(after(2)));
        counts.add(passed(NOON));
        assertEquals(List.of(1L, 0L, 1L), passedIn(counts.hours(after(2))).subList(HOURS - 3, HOURS));
    }

    @Test
    void clockSetBackByFourteenDays_countsFromZero() {
        counts.add(passed(NOON));
        counts.add(rejectedBy("sample", after(-HOURS)));
        assertEquals(Map.of("reject", 1L), counts.day(after(-HOURS)).messages());
        assertEquals(Map.of(), counts.hours(NOON).messages());
    }

    @Test
    void sessionWithoutAMessage_isNotCounted() {
        counts.add(Decisions.done(NOON, "", "none", "none", Map.of()));
        counts.add(Decisions.done(NOON, "", "lost", "lost", Map.of()));
        assertEquals(Map.of(), counts.day(NOON).messages());
    }

    @Test
    void feedsWithMostRejects_comeFirst_othersAreSummedUp() {
        IntStream.range(0, MAX_FEEDS).forEach(i -> counts.add(rejectedBy("feed-" + i, NOON)));
        counts.add(rejectedBy("feed-7", NOON));
        assertEquals(MAX_FEEDS, counts.day(NOON).feeds().size());
        counts.add(rejectedBy("one-more", NOON));
        counts.add(rejectedBy("another", NOON));
        counts.add(rejectedBy("third", NOON));
        List<FeedTotals> feeds = counts.day(NOON).feeds();
        assertEquals(new FeedTotals(OTHER_FEEDS, Map.of("reject", 3L)), feeds.getFirst());
        assertEquals(new FeedTotals("feed-7", Map.of("reject", 2L)), feeds.get(1));
        assertEquals(MAX_FEEDS + 1, feeds.size());
        counts.add(rejectedBy("one-more", after(HOURS)));
        assertEquals(
                List.of(new FeedTotals("one-more", Map.of("reject", 1L))),
                counts.day(after(HOURS)).feeds());
    }

    @Test
    void shadowActions_areCountedSeparately() {
        counts.add(Decisions.done(NOON, "sample", "reject", "pass", Map.of("fresh", "tag", "calm", "pass")));
        DayTotals day = counts.day(NOON);
        assertEquals(Map.of("pass", 1L), day.messages());
        assertEquals(
                List.of(new FeedTotals("sample", Map.of("reject", 1L)), new FeedTotals("fresh", Map.of("tag", 1L))),
                day.shadow());
    }

    @Test
    void stages_areSummed() {
        counts.add(passed(NOON));
        counts.add(passed(after(1)));
        assertEquals(
                List.of(new StageTotals("scan", 2, 3.0)), counts.day(after(1)).stages());
    }

    @Test
    void restart_keepsTheCounts() {
        try (MessageCountsFile _ = open(counts)) {
            counts.add(rejectedBy("sample", NOON));
            counts.add(passed(after(1)));
        }
        MessageCounts restored = restored();
        assertEquals(counts.day(after(1)), restored.day(after(1)));
        restored.add(passed(after(4)));
        assertEquals(List.of(1L, 0L, 0L, 1L), passedIn(restored.hours(after(4))).subList(HOURS - 4, HOURS));
    }

    @Test
    void crash_keepsWhatWasSavedLast() throws IOException {
        try (MessageCountsFile file = open(counts)) {
            counts.add(passed(NOON));
            file.save();
            Path crashed = Files.createDirectory(directory.resolve("crashed"));
            Files.copy(directory.resolve(OF_GATEWAY), crashed.resolve(OF_GATEWAY));
            MessageCounts next = new MessageCounts();
            open(crashed, OF_GATEWAY, next).close();
            assertEquals(Map.of("pass", 1L), next.day(NOON).messages());
        }
    }

    @Test
    void gatewayAndLookupService_haveAFileEach_secondGatewayNone() {
        MessageCounts lookup = new MessageCounts();
        MessageCounts second = new MessageCounts();
        try (MessageCountsFile _ = open(counts);
                MessageCountsFile _ = open(directory, OF_LOOKUP, lookup);
                MessageCountsFile late = open(second)) {
            counts.add(passed(NOON));
            lookup.add(rejectedBy("sample", NOON));
            second.add(rejectedBy("sample", NOON));
            late.save();
        }
        assertEquals(Map.of("pass", 1L), restored().day(NOON).messages());
        MessageCounts nextLookup = new MessageCounts();
        open(directory, OF_LOOKUP, nextLookup).close();
        assertEquals(Map.of("reject", 1L), nextLookup.day(NOON).messages());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "{}",
                "{\"newest\":1,\"series\":[",
                "{\"newest\":-1,\"series\":[]}",
                "{\"newest\":1,\"series\":[null]}",
                "{\"newest\":1,\"series\":[{\"unit\":\"STAGE_RUNS\",\"feed\":\"\",\"name\":\"scan\",\"values\":[1]}]}",
                "{\"newest\":1,\"series\":[{\"unit\":\"STAGE_RUNS\",\"feed\":null,\"name\":\"scan\",\"values\":[]}]}"
            })
    void damagedFile_startsAtZeroAndIsReplaced(String damaged) throws IOException {
        Files.writeString(directory.resolve(OF_GATEWAY), damaged);
        try (MessageCountsFile _ = open(counts)) {
            assertEquals(Map.of(), counts.day(NOON).messages());
            counts.add(passed(NOON));
        }
        assertEquals(Map.of("pass", 1L), restored().day(NOON).messages());
    }

    @Test
    void fileBeyondTheBound_isNotRead() throws IOException {
        try (MessageCountsFile _ = open(counts)) {
            counts.add(passed(NOON));
        }
        Path file = directory.resolve(OF_GATEWAY);
        String text = Files.readString(file);
        Files.writeString(file, text + " ".repeat(MAX_BYTES - text.length()));
        assertEquals(Map.of("pass", 1L), restored().day(NOON).messages());
        Files.writeString(file, text + " ".repeat(MAX_BYTES + 1 - text.length()));
        assertEquals(Map.of(), restored().day(NOON).messages());
    }

    @Test
    void fullCounts_fitIntoTheFile() throws IOException {
        List<String> actions = List.of("pass", "tag", "quarantine", "defer", "discard", "reject");
        for (int feed = 0; feed <= MAX_FEEDS; feed++) {
            String name = "feed-" + feed;
            for (int hour = 0; hour < HOURS; hour++) {
                for (String action : actions) {
                    counts.add(Decisions.done(after(hour), name, action, action, Map.of(name, action)));
                }
            }
        }
        MessageCounts other = new MessageCounts();
        try (MessageCountsFile _ = open(other)) {
            other.restore(counts.state());
        }
        assertTrue(Files.size(directory.resolve(OF_GATEWAY)) < MAX_BYTES / 2);
        Instant end = after(HOURS - 1);
        assertEquals(counts.hours(end), restored().hours(end));
        assertEquals(counts.day(end), restored().day(end));
    }
}
