package org.bloomgate.lookup.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.KeyKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LookupCountsTest {
    private static final ExactAnswer LISTED = new ExactAnswer.Listed(List.of());

    private final LookupCounts counts = new LookupCounts();

    private void answered(ExactAnswer... answers) {
        Arrays.stream(answers).forEach(answer -> counts.countAnswer("nightly", KeyKind.DOMAIN, answer));
    }

    @Test
    void everyAnswerIsCountedOnceForAllAndForItsFilter() {
        counts.countKeys(10);
        counts.countSuspects(6);
        counts.filter("nightly", KeyKind.DOMAIN).countProbes(10);
        answered(LISTED, new ExactAnswer.NotListed(), new ExactAnswer.NotListed(), new ExactAnswer.NotListed(true));
        answered(UnknownReason.TIMEOUT.answer(), UnknownReason.TIMEOUT.answer(), UnknownReason.TIMEOUT.answer());
        assertEquals(List.of(10L, 6L), List.of(counts.keys(), counts.suspects()));
        assertEquals(List.of(2L, 2L, 3L), List.of(counts.confirmed(), counts.refuted(), counts.unknown()));
        assertEquals(Map.of("timeout", 3L), counts.unknownByReason());
        FilterCounts ofDomains = counts.filter("nightly", KeyKind.DOMAIN);
        assertEquals(Set.of("nightly"), counts.filters().keySet());
        assertEquals(List.of(10L, 7L), List.of(ofDomains.keys(), ofDomains.suspects()));
        assertEquals(List.of(2L, 2L, 3L), List.of(ofDomains.confirmed(), ofDomains.refuted(), ofDomains.unknown()));
        assertEquals(0.25, ofDomains.refutedRate());
    }

    @Test
    void theRateIsZeroWhileEveryKeyIsListed() {
        FilterCounts filter = counts.filter("nightly", KeyKind.URL);
        assertEquals(0, filter.refutedRate());
        filter.countProbes(1);
        filter.countAnswer(LISTED);
        assertEquals(0, filter.refutedRate());
    }

    /// What makes every reason another, paths, numbers and addresses, must not make a label of its own.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "timeout|timeout",
                "bad-status|bad-status",
                "cannot read: 17 bytes|cannot read",
                "cannot read var/snapshots|cannot read",
                "cannot read a1|cannot read",
                "Zone AZaz, then|Zone AZaz",
                "closed (by 192.0.2.1)|closed",
                "failed; again|failed",
                "cannot reach host!|cannot reach",
                "{|other",
                "@|other",
                "[|other",
                "`|other",
                "/var|other",
                "12|other",
                ": -|other"
            })
    void aReasonIsCountedByTheWordsItBeginsWith(String reason, String label) {
        answered(new ExactAnswer.Unknown(reason));
        assertEquals(Map.of(label, 1L), counts.unknownByReason());
    }

    @Test
    void aLongReasonIsCutAtAWord() {
        answered(new ExactAnswer.Unknown("word ".repeat(11) + "words"));
        answered(new ExactAnswer.Unknown("word ".repeat(11) + "wordswords"));
        assertEquals(
                Map.of("word ".repeat(11) + "words", 1L, "word ".repeat(11).strip(), 1L), counts.unknownByReason());
    }

    @Test
    void reasonsBeyondTheBoundAreOneLabel() {
        for (char c = 'a'; c <= 'z'; c++) {
            answered(new ExactAnswer.Unknown("reason " + c), new ExactAnswer.Unknown("reason " + c));
        }
        Map<String, Long> byReason = counts.unknownByReason();
        assertEquals(LookupCounts.MAX_REASONS + 1, byReason.size());
        assertEquals(2L * (26 - LookupCounts.MAX_REASONS), byReason.get("other"));
    }

    @ParameterizedTest
    @EnumSource
    void aReasonIsFoundAgainByItsLabel(UnknownReason reason) {
        assertEquals(Optional.of(reason), UnknownReason.of(new ExactAnswer.Unknown(reason.label())));
        assertTrue(reason.label().matches("[a-z-]+"));
    }

    @Test
    void onlyWhatDidNotWorkIsAFault() {
        assertEquals(
                List.of(
                        UnknownReason.TIMEOUT,
                        UnknownReason.REFUSED,
                        UnknownReason.UNREACHABLE,
                        UnknownReason.BAD_STATUS,
                        UnknownReason.BAD_ANSWER),
                Arrays.stream(UnknownReason.values())
                        .filter(UnknownReason::fault)
                        .toList());
        assertEquals(Optional.empty(), UnknownReason.of(new ExactAnswer.Unknown("corrupt block")));
    }
}
