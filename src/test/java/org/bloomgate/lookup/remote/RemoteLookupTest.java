package org.bloomgate.lookup.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.remote.RemoteCounts.Total;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.ExactLookup;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.UnknownReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RemoteLookupTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final ExactAnswer NOT_LISTED = new ExactAnswer.NotListed();
    private static final ExactAnswer FAULT = UnknownReason.REFUSED.answer();
    private static final CacheOptions CACHE = new CacheOptions(1_000, Duration.ofSeconds(10), Duration.ofSeconds(2));

    private volatile Instant now = Instant.parse("2026-01-02T03:04:05Z");
    private final InstantSource time = () -> now;
    private final Clock clock = time.withZone(ZoneOffset.UTC);
    private final ScriptedTier tier = new ScriptedTier();
    private final Guard guard = guard(4);
    private final RemoteLookup lookup = lookup(tier, CACHE);

    private Guard guard(int concurrency) {
        return new Guard("test", new BreakerOptions(0.5, 4, Duration.ofSeconds(5)), concurrency, LONG, clock);
    }

    private RemoteLookup lookup(ScriptedTier queried, CacheOptions cache) {
        return new RemoteLookup(queried, guard, cache, () -> TimeUnit.MILLISECONDS.toNanos(time.millis()));
    }

    @Test
    void aThousandAskersOfOneKeyMakeOneCall() throws Exception {
        tier.hold();
        try (ExecutorService askers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ExactAnswer>> answers = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                answers.add(askers.submit(() -> ask("hot.example")));
            }
            while (guard.counts().count(Total.JOINED) < 999) {
                Thread.onSpinWait();
            }
            tier.release();
            for (Future<ExactAnswer> answer : answers) {
                assertEquals(NOT_LISTED, answer.get());
            }
        }
        assertEquals(List.of(keys("hot.example")), tier.calls);
    }

    @Test
    void ofABatchOnlyTheKeysThatNobodyKnowsOrAsksGoOut() throws Exception {
        ask("kept.example");
        tier.hold();
        try (ExecutorService askers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ExactAnswer> other = askers.submit(() -> ask("asked.example"));
            while (tier.calls.size() < 2) {
                Thread.onSpinWait();
            }
            Future<List<ExactAnswer>> batch = askers.submit(
                    () -> lookup.lookup(keys("kept.example", "new.example", "asked.example", "newer.example"), LONG));
            while (tier.calls.size() < 3) {
                Thread.onSpinWait();
            }
            tier.release();
            assertEquals(List.of(NOT_LISTED, NOT_LISTED, NOT_LISTED, NOT_LISTED), batch.get());
            assertEquals(NOT_LISTED, other.get());
        }
        assertEquals(keys("new.example", "newer.example"), tier.calls.getLast());
        assertEquals(1, guard.counts().count(Total.HITS));
        assertEquals(1, guard.counts().count(Total.JOINED));
        assertEquals(4, guard.counts().count(Total.MISSES));
    }

    @Test
    void everyAnswerIsThatOfItsKey() {
        tier.says = key -> key.text().startsWith("bad") ? listed(key) : NOT_LISTED;
        List<Key> keys = keys("bad1.example", "good.example", "bad2.example");
        List<ExactAnswer> expected = List.of(listed(keys.get(0)), NOT_LISTED, listed(keys.get(2)));
        assertEquals(expected, lookup.lookup(keys, LONG));
        assertEquals(expected, lookup.lookup(keys, LONG));
        assertEquals(1, tier.calls.size());
    }

    @Test
    void listedIsKeptForItsTimeAndNotListedForAnother() {
        tier.says = key -> key.text().startsWith("bad") ? listed(key) : NOT_LISTED;
        ask("bad.example");
        ask("good.example");
        now = now.plusSeconds(3);
        ask("bad.example");
        ask("good.example");
        assertEquals(List.of(keys("bad.example"), keys("good.example"), keys("good.example")), tier.calls);
        now = now.plusSeconds(8);
        ask("bad.example");
        assertEquals(4, tier.calls.size());
    }

    @Test
    void unknownIsNeverKept() {
        tier.says = key -> UnknownReason.UNKNOWN_THERE.answer();
        assertEquals(UnknownReason.UNKNOWN_THERE.answer(), ask("a.example"));
        tier.says = RemoteLookupTest::listed;
        assertInstanceOf(ExactAnswer.Listed.class, ask("a.example"));
        assertEquals(2, tier.calls.size());
    }

    @Test
    void aCallThatThrowsIsUnknownForAllWhoWaitAndAskedAgainByTheNext() {
        tier.says = key -> {
            throw new IllegalStateException("broken");
        };
        assertEquals(UnknownReason.BAD_ANSWER.answer(), ask("a.example"));
        tier.says = key -> NOT_LISTED;
        assertEquals(NOT_LISTED, ask("a.example"));
    }

    @Test
    void aTierThatIsExhaustedGivesItsPlaceBack() {
        ExactLookup exhausted = mock();
        when(exhausted.lookup(any(), any())).thenThrow(new StackOverflowError()).thenReturn(List.of(NOT_LISTED));
        Guard narrow = guard(1);
        RemoteLookup asking = new RemoteLookup(exhausted, narrow, CACHE);
        assertEquals(List.of(UnknownReason.BAD_ANSWER.answer()), asking.lookup(keys("a.example"), LONG));
        assertEquals(List.of(NOT_LISTED), asking.lookup(keys("a.example"), LONG));
        assertEquals(0, narrow.counts().callsNow());
    }

    @Test
    void answersOfAnotherNumberThanAskedProveNothing() {
        ExactLookup odd = mock();
        when(odd.lookup(any(), any())).thenReturn(List.of(NOT_LISTED)).thenReturn(List.of());
        RemoteLookup asking = new RemoteLookup(odd, guard, CACHE);
        List<ExactAnswer> nothing = List.of(UnknownReason.BAD_ANSWER.answer(), UnknownReason.BAD_ANSWER.answer());
        assertEquals(nothing, asking.lookup(keys("a.example", "b.example"), LONG));
        assertEquals(nothing.subList(1, 2), asking.lookup(keys("a.example"), LONG));
    }

    @Test
    void whatComesAfterTheEndIsNotKept() {
        ExactLookup ending = mock();
        RemoteLookup asking = new RemoteLookup(ending, guard, CACHE);
        when(ending.lookup(any(), any())).thenAnswer(call -> {
            asking.close();
            return List.of(NOT_LISTED);
        });
        assertEquals(List.of(NOT_LISTED), asking.lookup(keys("a.example"), LONG));
        assertEquals(List.of(UnknownReason.CLOSED.answer()), asking.lookup(keys("a.example"), LONG));
    }

    @Test
    void whoeverAsksIsFreeInTimeAndTheAnswerIsThereForTheNext() throws Exception {
        tier.hold();
        long begun = System.nanoTime();
        assertEquals(UnknownReason.TIMEOUT.answer(), ask("slow.example", Duration.ofMillis(20)));
        assertTrue(System.nanoTime() - begun < LONG.toNanos() / 2, "waited for the other side");
        try (ExecutorService askers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ExactAnswer> joins = askers.submit(() -> ask("slow.example"));
            while (guard.counts().count(Total.JOINED) < 1) {
                Thread.onSpinWait();
            }
            tier.release();
            assertEquals(NOT_LISTED, joins.get());
        }
        assertEquals(NOT_LISTED, ask("slow.example"));
        assertEquals(1, tier.calls.size());
    }

    @Test
    void withoutTimeLeftNobodyIsAsked() {
        assertEquals(UnknownReason.TIMEOUT.answer(), ask("a.example", Duration.ZERO));
        assertEquals(UnknownReason.TIMEOUT.answer(), ask("a.example", Duration.ofMillis(-5)));
        assertEquals(List.of(), tier.calls);
    }

    @Test
    void beyondTheBulkheadNobodyWaits() {
        tier.hold();
        IntStream.range(0, 4).forEach(i -> ask("held" + i + ".example", Duration.ofMillis(1)));
        assertEquals(UnknownReason.BULKHEAD_FULL.answer(), ask("one.more.example"));
        assertEquals(4, guard.counts().callsNow());
        tier.release();
        while (guard.counts().callsNow() > 0) {
            Thread.onSpinWait();
        }
        assertEquals(NOT_LISTED, ask("one.more.example"));
        assertEquals(1, guard.counts().count(Total.NOT_PERMITTED));
    }

    @Test
    void theBreakerOpensAfterFaultsAndClosesAfterTrials() {
        tier.says = key -> FAULT;
        IntStream.range(0, 4).forEach(i -> assertEquals(FAULT, ask("a" + i + ".example")));
        assertEquals("open", guard.counts().breakerState());
        tier.says = key -> NOT_LISTED;
        assertEquals(UnknownReason.BREAKER_OPEN.answer(), ask("b.example"));
        assertEquals(4, tier.calls.size());

        now = now.plusSeconds(6);
        assertEquals(NOT_LISTED, ask("c.example"));
        assertEquals("half-open", guard.counts().breakerState());
        assertEquals(NOT_LISTED, ask("d.example"));
        assertEquals(NOT_LISTED, ask("e.example"));
        assertEquals("closed", guard.counts().breakerState());
    }

    @Test
    void trialsThatFailOpenTheBreakerAgain() {
        tier.says = key -> FAULT;
        IntStream.range(0, 4).forEach(i -> ask("a" + i + ".example"));
        now = now.plusSeconds(6);
        IntStream.range(0, 3).forEach(i -> assertEquals(FAULT, ask("b" + i + ".example")));
        assertEquals("open", guard.counts().breakerState());
        assertEquals(7, guard.counts().count(Total.FAILURES));
    }

    @Test
    void aServiceThatIsBehindIsNoFault() {
        tier.says = key -> UnknownReason.BEHIND.answer();
        IntStream.range(0, 20).forEach(i -> ask("a" + i + ".example"));
        assertEquals("closed", guard.counts().breakerState());
    }

    @Test
    void whatIsKeptStillAnswersWhileTheBreakerIsOpen() {
        ask("kept.example");
        tier.says = key -> FAULT;
        IntStream.range(0, 4).forEach(i -> ask("a" + i + ".example"));
        assertEquals("open", guard.counts().breakerState());
        assertEquals(NOT_LISTED, ask("kept.example"));
    }

    @Test
    void withoutEntriesNothingIsKept() {
        RemoteLookup forgetful = lookup(tier, new CacheOptions(0, LONG, LONG));
        forgetful.lookup(keys("a.example"), LONG);
        forgetful.lookup(keys("a.example"), LONG);
        assertEquals(2, tier.calls.size());
    }

    @Test
    void aLayerThatIsClosedAsksNobody() {
        ask("a.example");
        lookup.close();
        assertEquals(UnknownReason.CLOSED.answer(), ask("a.example"));
        assertEquals(1, tier.calls.size());
        assertTrue(tier.closed);
    }

    @Test
    void layersShareTheGuardButNotTheirAnswers() {
        ScriptedTier other = new ScriptedTier();
        other.says = RemoteLookupTest::listed;
        RemoteLookup newer = lookup(other, CACHE);
        List<Duration> calls = new ArrayList<>();
        guard.counts().watch(calls::add);
        assertEquals(NOT_LISTED, ask("a.example"));
        assertInstanceOf(
                ExactAnswer.Listed.class, newer.lookup(keys("a.example"), LONG).getFirst());
        assertEquals(2, calls.size());
    }

    private ExactAnswer ask(String domain) {
        return ask(domain, LONG);
    }

    private ExactAnswer ask(String domain, Duration timeout) {
        return lookup.lookup(keys(domain), timeout).getFirst();
    }

    private static ExactAnswer listed(Key key) {
        return new ExactAnswer.Listed(List.of(
                new Listing("feed", "phishing", key, Match.EXACT, Set.of(Use.LINK), Instant.EPOCH, Instant.EPOCH, 0)));
    }

    private static List<Key> keys(String... domains) {
        return List.of(domains).stream()
                .map(domain -> new Key(KeyKind.DOMAIN, domain))
                .toList();
    }
}
