package org.bloomgate.decision.evaluation;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bloomgate.content.mime.FailingReader;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.limit.ReadingStopped;
import org.bloomgate.core.limit.SmallKeyHeap;
import org.bloomgate.decision.authentication.MessageSource;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.server.api.SmallLayer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages share the heap for more than ordinary keys, and give it back on each way out of a reading.
@Timeout(60)
class KeyHeapOfReadingsTest {
    private static final int ORDINARY_LINKS = 5_000;
    private static final int LINKS = 20_000;

    /// What a message takes at a time for more than ordinary keys.
    private static final long STEP = 12 << 20;

    /// Two messages wait, and one of them has a table of links.
    private static final long SHARE = 2 * SmallKeyHeap.ordinaryBytes() + STEP;

    private static final byte[] TABLE = table(LINKS);

    private final SmallKeyHeap keys = new SmallKeyHeap(SHARE);
    private final AtomicLong nanos = new AtomicLong();
    private final ReadingPool pool = new ReadingPool(2, nanos::get, _ -> 0);
    private final Semaphore kept = new Semaphore(0);
    private final Semaphore end = new Semaphore(0);
    private final MessageReader sound = FailingReader.with(keys::createAllowance);

    @AfterEach
    void close() {
        pool.close();
    }

    private static byte[] table(int links) {
        return ("Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"
                        + "Content-Type: text/html\r\n\r\n"
                        + IntStream.range(0, links)
                                .mapToObj("<a href=http://h%d.example/>x</a>"::formatted)
                                .collect(Collectors.joining("\r\n"))
                        + "\r\n--b\r\n\r\n")
                .getBytes(US_ASCII);
    }

    private MessageReader reader(Consumer<Allowance> afterKeys) {
        return FailingReader.with(limits -> keys.createAllowance(limits, afterKeys));
    }

    private ReadingPool.Outcome read(MessageReader reader, MessageSource source) throws IOException {
        return pool.read(
                reader,
                source,
                TABLE.length,
                PublicSuffixes.bundled(),
                Set.of(KeyKind.URL),
                new KeyBatch(),
                reader.createAllowance());
    }

    private ReadingPool.Outcome read(MessageReader reader) throws IOException {
        return read(reader, () -> new ByteArrayInputStream(TABLE));
    }

    private FutureTask<ReadingPool.Outcome> start(MessageReader reader) {
        FutureTask<ReadingPool.Outcome> task = new FutureTask<>(() -> read(reader));
        Thread.ofVirtual().start(task);
        return task;
    }

    private void pass(long time) {
        nanos.addAndGet(time);
        pool.checkReadings();
    }

    private void awaitAllBack() {
        while (keys.left() != SHARE) {
            Thread.onSpinWait();
        }
    }

    private static void drawUntilStopped(Allowance allowance) {
        while (!allowance.exhausted()) {
            Thread.onSpinWait();
        }
    }

    private void waitForEnd(Allowance allowance) {
        kept.release();
        end.acquireUninterruptibly();
    }

    @Test
    void oneMessageAtATime_isReadWhole() throws IOException {
        for (int i = 0; i < 3; i++) {
            ReadingPool.Outcome outcome = read(sound);
            assertEquals(Set.of(), outcome.inspection().limits());
            assertEquals(LINKS, outcome.batch().identifiers().size());
            assertEquals(SHARE - STEP, keys.left());
            outcome.batch().clear();
            assertEquals(SHARE, keys.left());
        }
    }

    @Test
    void withoutAShare_ordinaryLinksAreRead() throws IOException {
        MessageReader reader = FailingReader.with(new SmallKeyHeap(0)::createAllowance);
        byte[] ordinary = table(ORDINARY_LINKS);
        byte[] oneMore = table(ORDINARY_LINKS + 1);
        assertEquals(
                Set.of(),
                read(reader, () -> new ByteArrayInputStream(ordinary))
                        .inspection()
                        .limits());
        assertEquals(
                Set.of(Limit.KEYS),
                read(reader, () -> new ByteArrayInputStream(oneMore))
                        .inspection()
                        .limits());
    }

    @Test
    void besideAMessageThatIsKept_theNextHasOrdinaryKeys() throws IOException {
        ReadingPool.Outcome first = read(sound);
        ReadingPool.Outcome second = read(sound);
        assertEquals(Set.of(), first.inspection().limits());
        assertEquals(Set.of(Limit.KEYS), second.inspection().limits());
        assertEquals(ORDINARY_LINKS, second.batch().identifiers().size());
        first.batch().clear();
        second.batch().clear();
        assertEquals(SHARE, keys.left());
    }

    @Test
    void sixtyMessagesAtOnce_takeNoMoreThanTheShare() throws Exception {
        List<FutureTask<ReadingPool.Outcome>> messages = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            messages.add(start(sound));
        }
        int whole = 0;
        for (FutureTask<ReadingPool.Outcome> message : messages) {
            boolean isWhole = message.get().inspection().limits().isEmpty();
            assertTrue(isWhole || message.get().inspection().limits().equals(Set.of(Limit.KEYS)));
            assertEquals(
                    isWhole ? LINKS : ORDINARY_LINKS,
                    message.get().batch().identifiers().size());
            whole += isWhole ? 1 : 0;
        }
        assertTrue(whole <= 1, whole + " at a time");
        for (FutureTask<ReadingPool.Outcome> message : messages) {
            message.get().batch().clear();
        }
        assertEquals(SHARE, keys.left());
    }

    @Test
    void sourceThatFails_givesAllBack() {
        InputStream failing = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("gone");
            }

            @Override
            public int read(byte[] to, int offset, int length) throws IOException {
                throw new IOException("gone");
            }
        };
        assertThrows(
                IOException.class,
                () -> read(
                        reader(_ -> kept.release()),
                        () -> new SequenceInputStream(new ByteArrayInputStream(TABLE), failing)));
        assertEquals(1, kept.availablePermits());
        assertEquals(SHARE, keys.left());
    }

    @Test
    void errorAndMissingHeap_giveAllBack() {
        assertThrows(
                AssertionError.class,
                () -> read(reader(_ -> {
                    throw new AssertionError("unexpected");
                })));
        assertEquals(SHARE, keys.left());
        assertThrows(
                ReadingRefusedException.class,
                () -> read(reader(_ -> {
                    throw new ReadingStopped(ReadingStopped.Reason.HEAP);
                })));
        assertEquals(SHARE, keys.left());
    }

    @Test
    void sourceThatDoesNotOpen_givesAllBack() {
        MessageSource closed = () -> {
            throw new IOException("closed");
        };
        assertThrows(IOException.class, () -> read(sound, closed));
        assertEquals(SHARE, keys.left());
    }

    @Test
    void stopAfterTheTime_givesAllBack() throws Exception {
        FutureTask<ReadingPool.Outcome> message = start(reader(allowance -> {
            kept.release();
            drawUntilStopped(allowance);
        }));
        kept.acquire();
        pool.checkReadings();
        pass(ReadingPool.MAX_TIME.toNanos());
        assertEquals(Set.of(Limit.TIME), message.get().inspection().limits());
        assertEquals(ORDINARY_LINKS, message.get().batch().identifiers().size());
        assertEquals(SHARE - STEP, keys.left(), "its keys are still used");
        message.get().batch().clear();
        assertEquals(SHARE, keys.left());
    }

    /// Messages that would all be stopped, before the first is delivered: one has the share, the others ordinary keys.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8, 60})
    void stoppedMessages_takeNoMoreThanTheShare(int count) throws Exception {
        List<ReadingPool.Outcome> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            messages.add(read(reader(Allowance::stop)));
        }
        assertEquals(SHARE - STEP, keys.left());
        assertEquals(
                1,
                messages.stream()
                        .filter(outcome -> outcome.inspection().limits().contains(Limit.TIME))
                        .count());
        messages.forEach(outcome -> outcome.batch().clear());
        assertEquals(SHARE, keys.left());
    }

    @Test
    void evaluationOfAStoppedMessage_keepsItUntilItIsClosed() throws Exception {
        EvaluationRig rig = new EvaluationRig(new SmallLayer().inForce());
        MessageReader stopping = reader(Allowance::stop);
        MessageEvaluator evaluator =
                rig.evaluator(PolicyOptions.defaults(), new MessageEvaluator.Reading(stopping, pool));
        try (MessageEvaluation evaluation = evaluator.open(rig.lease(), EvaluationRig.client("192.0.2.1"))) {
            evaluation.rcptTo("c@d.example");
            evaluation.message(() -> new ByteArrayInputStream(TABLE), TABLE.length);
            evaluation.lookUp();
            MessageDecision decision = evaluation.decide(() -> new ByteArrayInputStream(TABLE));
            assertTrue(decision.limits().contains(Limit.TIME));
            assertTrue(keys.left() < SHARE, "the keys are still used");
        }
        assertEquals(SHARE, keys.left());
    }

    @Test
    void abandonedThread_givesItBackWhenItReturns() throws Exception {
        FutureTask<ReadingPool.Outcome> message = start(reader(this::waitForEnd));
        kept.acquire();
        pool.checkReadings();
        pass(ReadingPool.MAX_TIME.toNanos());
        pass(ReadingPool.GRACE.toNanos());
        message.get().batch().clear();
        assertEquals(SHARE - STEP, keys.left());
        end.release();
        awaitAllBack();
    }

    @Test
    void sessionThatIsClosed_givesAllBack() throws Exception {
        Thread session = Thread.ofVirtual()
                .start(() -> assertThrows(
                        InterruptedIOException.class,
                        () -> read(reader(allowance -> {
                            kept.release();
                            drawUntilStopped(allowance);
                        }))));
        kept.acquire();
        session.interrupt();
        session.join();
        awaitAllBack();
    }

    /// The reading ends before it can be stopped, and nothing takes its result.
    @Test
    void sessionThatIsClosedAtTheEnd_givesAllBack() throws Exception {
        MessageReader unstoppable = FailingReader.with(limits -> keys.createUnstoppable(limits, this::waitForEnd));
        Thread session =
                Thread.ofVirtual().start(() -> assertThrows(InterruptedIOException.class, () -> read(unstoppable)));
        kept.acquire();
        session.interrupt();
        session.join();
        assertEquals(SHARE - STEP, keys.left());
        end.release();
        awaitAllBack();
    }
}
