package org.bloomgate.lookup.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lettuce.core.cluster.SlotHash;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bloomgate.RecordCopy;
import org.bloomgate.core.key.Key;
import org.bloomgate.lookup.store.ExactPublisher;
import org.bloomgate.lookup.store.StoreKey;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.UnknownReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Servers that are killed, come back empty, or are not there at all: no answer is ever wrong.
class RedisFaultsIT {
    private static final ExactPublisher.Progress UNWATCHED = (done, total) -> {};
    private static final Duration DEADLINE = Duration.ofMillis(250);
    private static final int ENTRIES = 1_000;
    private static final int KILLED = 1;

    @TempDir
    Path folder;

    @Test
    void serversKilledAndEmpty_neverAnswerUnlisted() throws Exception {
        SmallStore store = SmallStore.write(folder, "20260102T030405Z-0001", ENTRIES);
        try (LoopbackCluster cluster = LoopbackCluster.start(folder, 3)) {
            new RedisPublisher(cluster.options()).publish(store.built(), UNWATCHED);
            try (RedisConnection connection = RedisConnection.open(cluster.options())) {
                RedisExactLookup lookup = lookup(connection, store);
                LoopbackCluster.await("answers", () -> unknown(lookup, store).isEmpty());
                List<Key> lost = keysOf(cluster, store);

                cluster.kill(KILLED);
                LoopbackCluster.await("the loss", () -> unknown(lookup, store).equals(lost));

                cluster.start(KILLED);
                cluster.awaitWhole();
                LoopbackCluster.await(
                        "the empty server", () -> reasons(lookup, lost).equals(List.of(UnknownReason.NO_DATA)));
                assertEquals(lost, unknown(lookup, store));

                for (int server = 0; server < cluster.size(); server++) {
                    cluster.kill(server);
                }
                LoopbackCluster.await("the end", () -> unknown(lookup, store).size() == ENTRIES);
                for (int server = 0; server < cluster.size(); server++) {
                    cluster.start(server);
                }
                cluster.awaitWhole();
                LoopbackCluster.await(
                        "empty servers", () -> reasons(lookup, store.listed()).equals(List.of(UnknownReason.NO_DATA)));

                new RedisPublisher(cluster.options()).publish(store.built(), UNWATCHED);
                LoopbackCluster.await(
                        "answers again", () -> unknown(lookup, store).isEmpty());
            }
        }
    }

    @Test
    void serversStartedLater_areQueried() throws Exception {
        SmallStore store = SmallStore.write(folder, "20260102T030405Z-0002", 100);
        try (LoopbackCluster cluster = LoopbackCluster.start(folder, 3)) {
            new RedisPublisher(cluster.options()).publish(store.built(), UNWATCHED);
            for (int server = 0; server < cluster.size(); server++) {
                cluster.kill(server);
            }
            try (RedisConnection connection = RedisConnection.open(cluster.options())) {
                RedisExactLookup lookup = lookup(connection, store);
                assertEquals(100, unknown(lookup, store).size());
                for (int server = 0; server < cluster.size(); server++) {
                    cluster.start(server);
                }
                cluster.awaitWhole();
                new RedisPublisher(cluster.options()).publish(store.built(), UNWATCHED);
                LoopbackCluster.await("answers", () -> unknown(lookup, store).isEmpty());
            }
        }
    }

    @Test
    void publisherWithoutServers_namesTheAddress() throws Exception {
        SmallStore store = SmallStore.write(folder, "20260102T030405Z-0003", 10);
        RedisOptions nobody = RecordCopy.with(RedisOptions.defaults(), "nodes", List.of("127.0.0.1:1"));
        IOException refused =
                assertThrows(IOException.class, () -> new RedisPublisher(nobody).publish(store.built(), UNWATCHED));
        assertTrue(refused.toString().contains("127.0.0.1:1: Connection refused"), refused::toString);
        assertTrue(refused.toString().contains("nightly/20260102T030405Z-0003 is not published"), refused::toString);
    }

    @Test
    void standaloneServer_isPublishedToAndQueried() throws Exception {
        SmallStore store = SmallStore.write(folder, "20260102T030405Z-0004", 100);
        try (LoopbackCluster cluster = LoopbackCluster.start(folder, 1)) {
            RedisOptions standalone = RecordCopy.with(cluster.options(), "mode", RedisOptions.Mode.STANDALONE);
            RedisPublisher publisher = new RedisPublisher(standalone);
            ExactPublisher.Built wrong = new ExactPublisher.Built(
                    "nightly", store.built().generation(), store.built().directory(), 101);
            IOException refused = assertThrows(IOException.class, () -> publisher.publish(wrong, UNWATCHED));
            assertTrue(refused.toString().contains("holds 100 entries, not 101"), refused::toString);

            publisher.publish(store.built(), UNWATCHED);
            publisher.retireOthers("nightly", store.built().generation());
            try (RedisConnection connection = RedisConnection.open(standalone)) {
                assertEquals(List.of(), unknown(lookup(connection, store), store));
            }
        }
    }

    private static RedisExactLookup lookup(RedisConnection connection, SmallStore store) {
        return new RedisExactLookup(
                connection,
                store.built().layer(),
                store.built().generation(),
                store.built().entries());
    }

    /// The listed keys of which nothing can be said; fails on a wrong answer.
    private static List<Key> unknown(RedisExactLookup lookup, SmallStore store) {
        List<Key> keys = store.listed();
        List<ExactAnswer> answers = lookup.lookup(keys, DEADLINE);
        List<Key> unknown = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            switch (answers.get(i)) {
                case ExactAnswer.Listed listed -> assertEquals(SmallStore.listings(keys.get(i)), listed.listings());
                case ExactAnswer.NotListed wrong -> throw new AssertionError(keys.get(i) + " is said not to be listed");
                case ExactAnswer.Unknown cannotSay -> unknown.add(keys.get(i));
            }
        }
        return unknown;
    }

    private static List<UnknownReason> reasons(RedisExactLookup lookup, List<Key> keys) {
        return lookup.lookup(keys, DEADLINE).stream()
                .filter(ExactAnswer.Unknown.class::isInstance)
                .map(ExactAnswer.Unknown.class::cast)
                .map(unknown -> UnknownReason.of(unknown).orElseThrow())
                .distinct()
                .toList();
    }

    /// The keys that the server which is killed has.
    private static List<Key> keysOf(LoopbackCluster cluster, SmallStore store) {
        GenerationNames names = new GenerationNames(
                "bloomgate", store.built().layer(), store.built().generation());
        int buckets = BucketField.buckets(ENTRIES);
        return store.listed().stream()
                .filter(key -> {
                    byte[] bucket =
                            names.bucket(BucketField.of(StoreKey.of(key)).bucket(buckets));
                    return cluster.serverOf(SlotHash.getSlot(bucket)) == KILLED;
                })
                .toList();
    }
}
