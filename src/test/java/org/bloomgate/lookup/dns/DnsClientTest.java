package org.bloomgate.lookup.dns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.bloomgate.lookup.dns.DnsQuestion.RecordType;
import org.bloomgate.lookup.dns.DnsReply.Cause;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DnsClientTest {
    private static final String LIST = "dbl.example";
    private static final DnsQuestion QUESTION = DnsQuestion.of("bad.example", RecordType.TXT);

    private final AtomicLong nanos = new AtomicLong(1);
    private final List<CompletableFuture<DnsReply>> sent = new ArrayList<>();
    private final DnsClient client = new DnsClient(
            question -> {
                CompletableFuture<DnsReply> reply = new CompletableFuture<>();
                sent.add(reply);
                return reply;
            },
            nanos::get);

    private static DnsReply found(long ttl) {
        return new DnsReply.Found(List.of("127.0.0.2"), Duration.ofSeconds(ttl));
    }

    private static DnsQuestion ofList(int i) {
        return DnsQuestion.ofList("n" + i + "." + LIST, LIST);
    }

    @ParameterizedTest
    @CsvSource({"60, 60", "0, 1", "1, 1", "3600, 3600", "86400, 3600"})
    void answer_isCachedForItsTtlWithinBounds(long ttl, long cached) {
        assertCached(found(ttl), Duration.ofSeconds(cached));
        assertCached(new DnsReply.Absent(Duration.ofSeconds(ttl)), Duration.ofSeconds(cached));
    }

    @Test
    void failure_isCachedForFiveSeconds() {
        assertCached(new DnsReply.Failed(Cause.TIMEOUT, "silent"), Duration.ofSeconds(5));
        assertCached(new DnsReply.Failed(Cause.ERROR, "SERVFAIL"), Duration.ofSeconds(5));
    }

    private void assertCached(DnsReply reply, Duration time) {
        CompletableFuture<DnsReply> answer = client.query(QUESTION);
        sent.getLast().complete(reply);
        assertEquals(reply, answer.join());
        int queries = sent.size();
        nanos.addAndGet(time.minusMillis(1).toNanos());
        assertTrue(client.isCached(QUESTION));
        assertEquals(reply, client.query(QUESTION).join());
        nanos.addAndGet(Duration.ofMillis(1).toNanos());
        assertFalse(client.isCached(QUESTION));
        assertEquals(queries, sent.size());
    }

    @Test
    void equalQuestions_areOneQuery() {
        List<CompletableFuture<DnsReply>> all =
                IntStream.range(0, 1000).mapToObj(i -> client.query(QUESTION)).toList();
        assertTrue(all.stream().noneMatch(CompletableFuture::isDone));
        sent.getFirst().complete(found(60));
        all.forEach(one -> assertEquals(found(60), one.join()));
        assertEquals(1, sent.size());
        CompletableFuture<DnsReply> _ = client.query(DnsQuestion.of("bad.example", RecordType.A));
        assertEquals(2, sent.size());
    }

    /// The self-test of a list is sent beyond the bound, and no answer past it is cached.
    @Test
    void queries_atBoundAndBeyond() {
        for (int i = 0; i < DnsClient.MAX_QUERIES_OF_ZONE; i++) {
            assertFalse(client.query(ofList(i)).isDone());
        }
        DnsReply tooMany = new DnsReply.Failed(Cause.BOUND, "not queried: too many queries in progress");
        assertEquals(tooMany, client.query(ofList(-1)).join());
        assertFalse(client.test(ofList(-1)).isDone());
        for (int i = DnsClient.MAX_QUERIES_OF_ZONE; i < DnsClient.MAX_QUERIES; i++) {
            assertFalse(
                    client.query(DnsQuestion.of(i + ".example", RecordType.A)).isDone());
        }
        assertEquals(
                tooMany,
                client.query(DnsQuestion.ofList("n.other.example", "other.example"))
                        .join());
        sent.getFirst().complete(found(60));
        assertFalse(client.query(ofList(-1)).isDone());
    }

    @Test
    void forget_dropsTheAnswersOfTheList() {
        CompletableFuture<DnsReply> _ = client.query(QUESTION);
        CompletableFuture<DnsReply> _ = client.query(ofList(1));
        CompletableFuture<DnsReply> _ = client.query(ofList(2));
        sent.forEach(one -> one.complete(found(60)));
        client.forget(LIST);
        assertTrue(client.isCached(QUESTION));
        assertFalse(client.isCached(ofList(1)));
        assertFalse(client.isCached(ofList(2)));
    }

    /// As a list that refuses its clients does while the query is in progress.
    @Test
    void answerThatForgetsItsList_isNotCached() {
        CompletableFuture<DnsReply> answer = client.query(
                ofList(1),
                query -> query.thenApply(reply -> {
                    client.forget(LIST);
                    return reply;
                }));
        sent.getFirst().complete(found(60));
        assertEquals(found(60), answer.join());
        assertFalse(client.isCached(ofList(1)));
    }
}
