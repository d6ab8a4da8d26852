package org.bloomgate.lookup.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.store.ExactPublisher;
import org.bloomgate.lookup.store.StoreKey;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.UnknownReason;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is published to a cluster of three servers, and what is asked there.
class RedisExactLookupIT {
    private static final ExactAnswer NOT_LISTED = new ExactAnswer.NotListed();
    private static final ExactPublisher.Progress UNWATCHED = (done, total) -> {};
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int ENTRIES = 3_000;

    @TempDir
    static Path folder;

    private static LoopbackCluster cluster;
    private static RedisConnection connection;
    private static SmallStore store;

    @BeforeAll
    static void publish() throws Exception {
        cluster = LoopbackCluster.start(folder, 3);
        store = SmallStore.write(folder, "20260102T030405Z-0001", ENTRIES);
        new RedisPublisher(cluster.options()).publish(store.built(), UNWATCHED);
        connection = RedisConnection.open(cluster.options());
    }

    @AfterAll
    static void stop() throws Exception {
        connection.close();
        cluster.close();
    }

    private static RedisExactLookup lookup(SmallStore of) {
        return new RedisExactLookup(
                connection,
                of.built().layer(),
                of.built().generation(),
                of.built().entries());
    }

    private static ExactAnswer answer(SmallStore of, Key key) {
        return lookup(of).lookup(List.of(key), PATIENCE).getFirst();
    }

    @Test
    void everyKeyHasTheListingsOfTheStore() {
        List<Key> keys = store.listed();
        List<ExactAnswer> answers = lookup(store).lookup(keys, PATIENCE);
        for (int i = 0; i < keys.size(); i++) {
            assertEquals(new ExactAnswer.Listed(SmallStore.listings(keys.get(i))), answers.get(i));
        }
    }

    @Test
    void keysThatAreNotThereAreNotListed() {
        List<ExactAnswer> answers = lookup(store).lookup(SmallStore.strangers(500), PATIENCE);
        assertEquals(500, answers.size());
        answers.forEach(answer -> assertEquals(NOT_LISTED, answer));
    }

    @Test
    void bucketsOfAllServersKeepTheShortForm() {
        int buckets = BucketField.buckets(ENTRIES);
        assertEquals(64, buckets);
        for (int bucket = 0; bucket < buckets; bucket++) {
            String name = name(store, bucket);
            String form = at(name, redis -> redis.objectEncoding(name));
            assertTrue(form.equals("ziplist") || form.equals("listpack"), form);
            assertTrue(at(name, redis -> redis.ttl(name)) > GenerationWriter.WHILE_WRITING.toSeconds());
        }
    }

    @Test
    void generationThatWasNeverPublishedIsUnknown() {
        RedisExactLookup other = new RedisExactLookup(connection, "nightly", "20260102T030405Z-ffff", ENTRIES);
        assertEquals(unknown(UnknownReason.NO_DATA), other.lookup(SmallStore.strangers(1), PATIENCE));
    }

    @Test
    void generationOfAnotherSizeThanTheManifestSaysIsUnknown() {
        RedisExactLookup other =
                new RedisExactLookup(connection, "nightly", store.built().generation(), ENTRIES + 1);
        assertEquals(unknown(UnknownReason.BAD_ANSWER), other.lookup(SmallStore.strangers(1), PATIENCE));
    }

    @Test
    void bucketWithoutItsMarkerIsUnknownForListedAndUnlistedKeys() throws Exception {
        SmallStore damaged = published("20260102T030405Z-0002", 100);
        for (int bucket = 0; bucket < BucketField.buckets(100); bucket++) {
            String name = name(damaged, bucket);
            at(name, redis -> redis.hdel(name, latin1(BucketField.MARKER)));
        }
        assertEquals(
                UnknownReason.NO_DATA.answer(), answer(damaged, damaged.listed().getFirst()));
        assertEquals(
                UnknownReason.NO_DATA.answer(),
                answer(damaged, SmallStore.strangers(1).getFirst()));
    }

    @Test
    void fieldsDeletedUnderAMarker_areUnknown_othersAreListed() throws Exception {
        SmallStore damaged = published("20260102T030405Z-0016", 10);
        Key deleted = damaged.listed().getFirst();
        Key left = damaged.listed().getLast();
        at(
                name(damaged, 0),
                redis -> redis.hdel(
                        name(damaged, 0),
                        latin1(BucketField.of(StoreKey.of(deleted)).bytes())));
        assertEquals(UnknownReason.NO_DATA.answer(), answer(damaged, deleted));
        assertEquals(
                UnknownReason.NO_DATA.answer(),
                answer(damaged, SmallStore.strangers(1).getFirst()));
        assertEquals(new ExactAnswer.Listed(SmallStore.listings(left)), answer(damaged, left));
    }

    @Test
    void headersThatServersLostAreCounted() throws Exception {
        SmallStore damaged = published("20260102T030405Z-0017", 10);
        assertEquals(0, lookup(damaged).lostCopies(PATIENCE));
        for (int copy = 0; copy < GenerationNames.HEADER_COPIES; copy++) {
            String name = text(names(damaged).header(copy));
            at(name, redis -> redis.del(name));
            assertEquals(copy + 1, lookup(damaged).lostCopies(PATIENCE));
        }
    }

    @Test
    void markerOfAnotherGenerationIsNone() throws Exception {
        SmallStore damaged = published("20260102T030405Z-0003", 10);
        at(
                name(damaged, 0),
                redis -> redis.hset(name(damaged, 0), latin1(BucketField.MARKER), "20260102T030405Z-ffff"));
        assertEquals(
                UnknownReason.NO_DATA.answer(),
                answer(damaged, SmallStore.strangers(1).getFirst()));
    }

    @Test
    void malformedListingsAreUnknownAndNeverListed() throws Exception {
        SmallStore damaged = published("20260102T030405Z-0004", 10);
        Key key = damaged.listed().getFirst();
        String field = latin1(BucketField.of(StoreKey.of(key)).bytes());
        for (String bytes : List.of("", "\u0000", "\u00ff\u00ff", "x".repeat(100_000))) {
            at(name(damaged, 0), redis -> redis.hset(name(damaged, 0), field, bytes));
            assertEquals(UnknownReason.BAD_ANSWER.answer(), answer(damaged, key));
        }
        assertEquals(NOT_LISTED, answer(damaged, SmallStore.strangers(1).getFirst()));
    }

    @Test
    void errorOfTheServerIsUnknown() throws Exception {
        SmallStore damaged = published("20260102T030405Z-0005", 10);
        at(name(damaged, 0), redis -> redis.set(name(damaged, 0), "no hash"));
        assertEquals(
                UnknownReason.BAD_STATUS.answer(),
                answer(damaged, damaged.listed().getFirst()));
    }

    @Test
    void headerIsReadFromAnyWholeCopy() throws Exception {
        SmallStore damaged = published("20260102T030405Z-0006", 10);
        for (int copy = 0; copy < GenerationNames.HEADER_COPIES - 1; copy++) {
            String name = text(names(damaged).header(copy));
            String bytes = copy % 2 == 0 ? "" : "\u0001damaged";
            at(name, redis -> redis.set(name, bytes));
        }
        assertEquals(NOT_LISTED, answer(damaged, SmallStore.strangers(1).getFirst()));
    }

    @Test
    void silentServerCostsTheTimeGivenAndNoMore() {
        RedisExactLookup lookup = lookup(store);
        assertEquals(List.of(NOT_LISTED), lookup.lookup(SmallStore.strangers(1), PATIENCE));
        cluster.ask(0, redis -> redis.clientPause(500));
        List<ExactAnswer> answers = lookup.lookup(SmallStore.strangers(100), Duration.ofMillis(100));
        assertTrue(answers.contains(UnknownReason.TIMEOUT.answer()), answers::toString);
        assertTrue(answers.contains(NOT_LISTED), answers::toString);
        assertEquals(
                Optional.empty(),
                answers.stream().filter(ExactAnswer.Listed.class::isInstance).findAny());
    }

    @Test
    void closedLookupIsUnknown() {
        RedisExactLookup lookup = lookup(store);
        lookup.close();
        assertEquals(unknown(UnknownReason.CLOSED), lookup.lookup(SmallStore.strangers(1), PATIENCE));
    }

    @Test
    void digestThatIsNoneIsUnknown() {
        assertEquals(UnknownReason.BAD_ANSWER.answer(), answer(store, new Key(KeyKind.PASSWORD, "no hex")));
    }

    @Test
    void publishAgainGivesTheSameAndOthersRetire() throws Exception {
        RedisPublisher publisher = new RedisPublisher(cluster.options());
        ExactPublisher.Built hourly = hourly("20260102T030405Z-0007");
        publisher.publish(hourly, UNWATCHED);
        ExactPublisher.Built next = hourly("20260102T040405Z-0008");
        publisher.publish(next, UNWATCHED);
        publisher.publish(next, UNWATCHED);
        publisher.retireOthers("hourly", next.generation());

        GenerationNames names = new GenerationNames("bloomgate", "hourly", next.generation());
        String current = text(names.current());
        assertEquals(next.generation(), at(current, redis -> redis.get(current)));
        assertTrue(secondsLeft(hourly) <= cluster.options().retention().toSeconds());
        assertTrue(secondsLeft(next) > cluster.options().retention().toSeconds());
        String register = text(names.generations());
        assertEquals(List.of(next.generation()), at(register, redis -> redis.hkeys(register)));
        assertEquals(
                List.of(NOT_LISTED),
                new RedisExactLookup(connection, "hourly", hourly.generation(), 10)
                        .lookup(SmallStore.strangers(1), PATIENCE));
    }

    private static ExactPublisher.Built hourly(String generation) throws Exception {
        ExactPublisher.Built built = SmallStore.write(folder, generation, 10).built();
        return new ExactPublisher.Built("hourly", generation, built.directory(), built.entries());
    }

    private static long secondsLeft(ExactPublisher.Built built) {
        String name = text(new GenerationNames("bloomgate", built.layer(), built.generation()).bucket(0));
        return at(name, redis -> redis.ttl(name));
    }

    @Test
    void interruptedPublish_leavesExpiringKeysAndNoMarker() throws Exception {
        SmallStore stopped = SmallStore.write(folder, "20260102T030405Z-0009", 10_000);
        ExactPublisher.Progress stop = (done, total) -> {
            throw new CancellationException("stopped at " + done);
        };
        try {
            new RedisPublisher(cluster.options()).publish(stopped.built(), stop);
            throw new AssertionError("published");
        } catch (CancellationException expected) {
            // Some of it is there.
        }
        String stem = "bloomgate:nightly:" + stopped.built().generation() + ":*";
        for (int server = 0; server < cluster.size(); server++) {
            cluster.ask(server, redis -> {
                List<String> left = redis.keys(stem);
                assertTrue(left.stream().allMatch(name -> redis.ttl(name) > 0), left::toString);
                assertTrue(left.stream()
                        .filter(name -> redis.type(name).equals("hash"))
                        .noneMatch(name -> redis.hexists(name, latin1(BucketField.MARKER))));
                return left.size();
            });
        }
        assertEquals(
                UnknownReason.NO_DATA.answer(), answer(stopped, stopped.listed().getFirst()));
    }

    private static SmallStore published(String generation, int entries) throws Exception {
        SmallStore small = SmallStore.write(folder, generation, entries);
        new RedisPublisher(cluster.options()).publish(small.built(), UNWATCHED);
        return small;
    }

    private static List<ExactAnswer> unknown(UnknownReason reason) {
        return List.of(reason.answer());
    }

    private static GenerationNames names(SmallStore of) {
        return new GenerationNames("bloomgate", of.built().layer(), of.built().generation());
    }

    private static String name(SmallStore of, int bucket) {
        return text(names(of).bucket(bucket));
    }

    private static String text(byte[] name) {
        return GenerationNames.text(name);
    }

    private static String latin1(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /// Asks the server that has a key.
    private static <T> T at(String name, LoopbackCluster.Question<T> question) {
        return cluster.ask(cluster.serverOf(SlotHash.getSlot(name)), question);
    }
}
