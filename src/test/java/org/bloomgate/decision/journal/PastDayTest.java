package org.bloomgate.decision.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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

class PastDayTest {
    private static final Instant NOON = Decisions.NOON;

    @TempDir
    Path directory;

    private final PastDay day = new PastDay();

    private static Decision refusedBy(String feed, Instant time) {
        return Decisions.done(time, feed, "reject", "reject", Map.of());
    }

    private static Decision passed(Instant time) {
        return Decisions.done(time, "", "pass", "pass", Map.of());
    }

    private static Instant after(long minutes) {
        return NOON.plus(Duration.ofMinutes(minutes));
    }

    private PastDayFile file(PastDay of) {
        return file(directory, PastDayFile.OF_GATEWAY, of);
    }

    private static PastDayFile file(Path folder, String name, PastDay of) {
        return PastDayFile.open(
                new JournalOptions(folder, 1, 1 << 20, true, KeyJournalOptions.defaults(Path.of("var"))), name, of);
    }

    @Test
    void aMinuteIsForgottenADayLaterWhetherMailCameSinceOrNot() {
        day.add(refusedBy("sample", NOON));
        assertEquals(Map.of("reject", 1L), day.until(after(PastDay.MINUTES - 1)).messages());
        assertEquals(Map.of(), day.until(after(PastDay.MINUTES)).messages());
        day.add(passed(after(PastDay.MINUTES - 1)));
        assertEquals(
                Map.of("pass", 1L, "reject", 1L),
                day.until(after(PastDay.MINUTES - 1)).messages());
        day.add(passed(after(PastDay.MINUTES)));
        DayTotals next = day.until(after(PastDay.MINUTES));
        assertEquals(Map.of("pass", 2L), next.messages());
        assertEquals(List.of(), next.feeds());
    }

    @Test
    void aClockThatIsSetBackByDaysBeginsTheDayAnew() {
        day.add(passed(NOON));
        day.add(refusedBy("sample", after(-3 * PastDay.MINUTES)));
        assertEquals(
                Map.of("reject", 1L), day.until(after(-3 * PastDay.MINUTES)).messages());
    }

    @Test
    void whatEndedWithoutAMessageIsNoMail() {
        day.add(Decisions.done(NOON, "", "none", "none", Map.of()));
        day.add(Decisions.done(NOON, "", "lost", "lost", Map.of()));
        assertEquals(Map.of(), day.until(NOON).messages());
    }

    @Test
    void feedsWithMostRejects_comeFirst_othersAreSummedUp() {
        IntStream.range(0, PastDay.MAX_FEEDS).forEach(i -> day.add(refusedBy("feed-" + i, NOON)));
        day.add(refusedBy("feed-7", NOON));
        assertEquals(PastDay.MAX_FEEDS, day.until(NOON).feeds().size());
        day.add(refusedBy("one-more", NOON));
        day.add(refusedBy("another", NOON));
        day.add(refusedBy("third", NOON));
        List<FeedTotals> feeds = day.until(NOON).feeds();
        assertEquals(new FeedTotals(PastDay.OTHER_FEEDS, Map.of("reject", 3L)), feeds.getFirst());
        assertEquals(new FeedTotals("feed-7", Map.of("reject", 2L)), feeds.get(1));
        assertEquals(PastDay.MAX_FEEDS + 1, feeds.size());
        day.add(refusedBy("one-more", after(PastDay.MINUTES)));
        assertEquals(
                List.of(new FeedTotals("one-more", Map.of("reject", 1L))),
                day.until(after(PastDay.MINUTES)).feeds());
    }

    @Test
    void whatShadowModeAndFeedsOnTrialWouldHaveDoneIsCountedApart() {
        day.add(Decisions.done(NOON, "sample", "reject", "pass", Map.of("fresh", "tag", "calm", "pass")));
        DayTotals totals = day.until(NOON);
        assertEquals(Map.of("pass", 1L), totals.messages());
        assertEquals(
                List.of(new FeedTotals("sample", Map.of("reject", 1L)), new FeedTotals("fresh", Map.of("tag", 1L))),
                totals.shadow());
    }

    @Test
    void stagesAreSummed() {
        day.add(passed(NOON));
        day.add(passed(after(1)));
        assertEquals(
                List.of(new StageTotals("scan", 2, 3.0)), day.until(after(1)).stages());
    }

    @Test
    void restart_keepsTheTotals() {
        try (PastDayFile _ = file(day)) {
            day.add(refusedBy("sample", NOON));
            day.add(passed(after(1)));
        }
        PastDay next = new PastDay();
        try (PastDayFile _ = file(next)) {
            assertEquals(day.until(after(1)), next.until(after(1)));
            next.add(passed(after(4)));
            assertEquals(Map.of("pass", 2L, "reject", 1L), next.until(after(4)).messages());
        }
    }

    @Test
    void aCrashKeepsWhatWasSavedLast() throws IOException {
        try (PastDayFile kept = file(day)) {
            day.add(passed(NOON));
            kept.save();
            Path crashed = Files.createDirectory(directory.resolve("crashed"));
            Files.copy(directory.resolve(PastDayFile.OF_GATEWAY), crashed.resolve(PastDayFile.OF_GATEWAY));
            PastDay next = new PastDay();
            file(crashed, PastDayFile.OF_GATEWAY, next).close();
            assertEquals(Map.of("pass", 1L), next.until(NOON).messages());
        }
    }

    @Test
    void gatewayAndLookupService_keepADayEach_secondGatewayNone() {
        PastDay lookup = new PastDay();
        PastDay second = new PastDay();
        try (PastDayFile _ = file(day);
                PastDayFile _ = file(directory, PastDayFile.OF_LOOKUP, lookup);
                PastDayFile late = file(second)) {
            day.add(passed(NOON));
            lookup.add(refusedBy("sample", NOON));
            second.add(refusedBy("sample", NOON));
            late.save();
        }
        PastDay next = new PastDay();
        file(next).close();
        assertEquals(Map.of("pass", 1L), next.until(NOON).messages());
        PastDay nextLookup = new PastDay();
        file(directory, PastDayFile.OF_LOOKUP, nextLookup).close();
        assertEquals(Map.of("reject", 1L), nextLookup.until(NOON).messages());
    }

    @Test
    void hours_areKeptForFourteenDaysAndOverARestart() {
        PastDay restarted = new PastDay();
        try (PastDayFile _ = file(day)) {
            day.add(passed(after(0)));
            day.add(passed(after(90)));
            day.add(refusedBy("one", after(90)));
        }
        file(restarted).close();
        HourTotals totals = restarted.hoursUntil(after(60L * (HourCounts.HOURS - 1)));
        assertEquals(NOON, totals.from());
        assertEquals(
                List.of(1L, 1L),
                totals.messages().getOrDefault("pass", List.of()).subList(0, 2));
        assertEquals(1L, totals.messages().getOrDefault("reject", List.of()).get(1));
        HourTotals later = restarted.hoursUntil(after(60L * HourCounts.HOURS));
        assertEquals(1L, later.messages().getOrDefault("pass", List.of()).getFirst());
        assertEquals(
                Map.of(),
                restarted.hoursUntil(after(60L * 2 * HourCounts.HOURS)).messages());
    }

    @Test
    void hours_countLateMailAndBeginAgainWhenTheClockIsSetBack() {
        day.add(passed(after(120)));
        day.add(passed(after(0)));
        List<Long> counts = day.hoursUntil(after(120)).messages().getOrDefault("pass", List.of());
        assertEquals(List.of(1L, 0L, 1L), counts.subList(HourCounts.HOURS - 3, HourCounts.HOURS));
        day.add(passed(after(-60L * HourCounts.HOURS)));
        assertEquals(Map.of(), day.hoursUntil(after(120)).messages());
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
                "{\"newest\":1,\"series\":[{\"of\":\"DONE\",\"feed\":\"\",\"word\":\"pass\",\"values\":[1]}]}",
                "{\"newest\":1,\"series\":[{\"of\":\"DONE\",\"feed\":null,\"word\":\"pass\",\"values\":[]}]}"
            })
    void aDamagedFileBeginsADayAnewAndIsReplaced(String damaged) throws IOException {
        Files.writeString(directory.resolve(PastDayFile.OF_GATEWAY), damaged);
        try (PastDayFile _ = file(day)) {
            assertEquals(Map.of(), day.until(NOON).messages());
            day.add(passed(NOON));
        }
        PastDay next = new PastDay();
        file(next).close();
        assertEquals(Map.of("pass", 1L), next.until(NOON).messages());
    }

    @Test
    void aFileBeyondTheBoundIsNotRead() throws IOException {
        try (PastDayFile _ = file(day)) {
            day.add(passed(NOON));
        }
        Path file = directory.resolve(PastDayFile.OF_GATEWAY);
        String whole = Files.readString(file);
        PastDay within = new PastDay();
        Files.writeString(file, whole + " ".repeat(PastDayFile.MAX_BYTES - whole.length()));
        file(within).close();
        assertEquals(Map.of("pass", 1L), within.until(NOON).messages());
        Files.writeString(file, whole + " ".repeat(PastDayFile.MAX_BYTES + 1 - whole.length()));
        PastDay beyond = new PastDay();
        file(beyond).close();
        assertEquals(Map.of(), beyond.until(NOON).messages());
    }

    @Test
    void theFullestDayFitsIntoTheFile() throws IOException {
        String[] words = {"pass", "tag", "quarantine", "defer", "discard", "reject"};
        for (int feed = 0; feed <= PastDay.MAX_FEEDS; feed++) {
            for (String word : words) {
                for (int minute = 0; minute < PastDay.MINUTES; minute++) {
                    day.add(Decisions.done(after(minute), "feed-" + feed, word, word, Map.of("feed-" + feed, word)));
                }
            }
        }
        DayTotals full = day.until(after(PastDay.MINUTES - 1));
        PastDay next = new PastDay();
        try (PastDayFile _ = file(next)) {
            next.begin(day.state());
        }
        assertTrue(Files.size(directory.resolve(PastDayFile.OF_GATEWAY)) < PastDayFile.MAX_BYTES / 2);
        PastDay after = new PastDay();
        file(after).close();
        assertEquals(full, after.until(after(PastDay.MINUTES - 1)));
    }
}
