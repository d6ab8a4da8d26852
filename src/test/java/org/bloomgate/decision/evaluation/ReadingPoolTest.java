package org.bloomgate.decision.evaluation;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.content.mime.FailingReader;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.core.limit.ReadingStopped;
import org.bloomgate.decision.authentication.MessageSource;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.server.api.SmallLayer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(60)
class ReadingPoolTest {
    private static final byte[] MESSAGE = "Subject: x\r\n\r\nhttp://a.example/\r\n".getBytes(US_ASCII);
    private static final int ALL = 1_000;
    private static final MessageReader SOUND = new MessageReader(MessageLimits.defaults());

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong cpuNanos = new AtomicLong();
    private final ReadingPool pool = new ReadingPool(1, nanos::get, _ -> cpuNanos.get());

    /// One permit for each reading that never draws and has begun.
    private final Semaphore begun = new Semaphore(0);

    private final Semaphore end = new Semaphore(0);
    private final MessageReader stuck = FailingReader.neverDrawing(this::stayAway);
    private final MessageReader drawing = FailingReader.drawing(this::step);

    @AfterEach
    void release() {
        end.release(ALL);
        pool.close();
    }

    private void stayAway() {
        begun.release();
        try {
            end.acquire();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
        throw new IllegalStateException("released");
    }

    private void step() {
        begun.release();
        Thread.onSpinWait();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
        pool.checkReadings();
    }

    private static <T> FutureTask<T> start(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread.ofVirtual().start(task);
        return task;
    }

    private ReadingPool.Outcome read(MessageReader reader) throws IOException {
        return read(reader, () -> new ByteArrayInputStream(MESSAGE), new KeyBatch());
    }

    private ReadingPool.Outcome read(MessageReader reader, MessageSource source, KeyBatch batch) throws IOException {
        return pool.read(
                reader,
                source,
                MESSAGE.length,
                PublicSuffixes.bundled(),
                Set.of(KeyKind.URL),
                batch,
                reader.createAllowance());
    }

    /// Starts readings that never draw until as many are under way.
    private List<FutureTask<ReadingPool.Outcome>> stick(int count) {
        List<FutureTask<ReadingPool.Outcome>> started = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            started.add(start(() -> read(stuck)));
            begun.acquireUninterruptibly();
            // twice: it no longer counts, and the next has a thread
            pool.checkReadings();
            pool.checkReadings();
        }
        return started;
    }

    private void abandonAll() {
        pool.checkReadings();
        pass(ReadingPool.MAX_TIME);
        pass(ReadingPool.GRACE);
    }

    @Test
    void soundMessage_isReadIntoTheBatchThatWasLent() throws IOException {
        KeyBatch batch = new KeyBatch();
        ReadingPool.Outcome outcome = read(SOUND, () -> new ByteArrayInputStream(MESSAGE), batch);
        assertEquals(Set.of(), outcome.inspection().limits());
        assertTrue(outcome.batch() == batch && batch.size() > 0);
    }

    @Test
    void drawingReader_isStoppedAfterItsProcessorTime() throws Exception {
        FutureTask<ReadingPool.Outcome> hostile = start(() -> read(drawing));
        begun.acquire();
        pool.checkReadings();
        cpuNanos.set(ReadingPool.MAX_CPU.toNanos());
        pool.checkReadings();
        assertEquals(Set.of(Limit.TIME), hostile.get().inspection().limits());
        assertEquals(0, pool.abandoned());
    }

    @Test
    void drawingReader_isStoppedAfterItsTime() throws Exception {
        FutureTask<ReadingPool.Outcome> hostile = start(() -> read(drawing));
        begun.acquire();
        pool.checkReadings();
        pass(ReadingPool.MAX_TIME);
        assertEquals(Set.of(Limit.TIME), hostile.get().inspection().limits());
    }

    @Test
    void justBelowBothBounds_isNotStopped() throws Exception {
        FutureTask<ReadingPool.Outcome> slow = stick(1).getFirst();
        cpuNanos.set(ReadingPool.MAX_CPU.toNanos() - 1);
        pass(ReadingPool.MAX_TIME.minusNanos(1));
        end.release(ALL);
        // what it throws is a fault of the message, as ever
        assertEquals(Set.of(Limit.FAULT), slow.get().inspection().limits());
    }

    @Test
    void readerThatNeverDraws_isAbandonedWithItsBatch() throws Exception {
        KeyBatch lent = new KeyBatch();
        FutureTask<ReadingPool.Outcome> hostile =
                start(() -> read(stuck, () -> new ByteArrayInputStream(MESSAGE), lent));
        begun.acquire();
        pool.checkReadings();
        pass(ReadingPool.MAX_TIME);
        pass(ReadingPool.GRACE.minusNanos(1));
        assertEquals(0, pool.abandoned());
        pass(Duration.ofNanos(1));
        assertEquals(1, pool.abandoned());
        assertEquals(Set.of(Limit.TIME), hostile.get().inspection().limits());
        assertTrue(hostile.get().batch() != lent);
        assertEquals(Optional.empty(), pool.findRejectionReason());
    }

    @Test
    void slowReadings_giveTheirPlaceToOtherMail() throws IOException {
        stick(4);
        assertEquals(Set.of(), read(SOUND).inspection().limits());
    }

    @Test
    void fourAbandonedThreads_refuseMailUntilOneReturns() throws Exception {
        List<FutureTask<ReadingPool.Outcome>> hostile = stick(4);
        abandonAll();
        assertEquals(4, pool.abandoned());
        assertTrue(pool.findRejectionReason().orElse("").contains("4 threads"), pool.findRejectionReason()::toString);
        assertThrows(ReadingRefusedException.class, () -> read(SOUND));
        end.release(ALL);
        for (FutureTask<ReadingPool.Outcome> one : hostile) {
            assertEquals(Set.of(Limit.TIME), one.get().inspection().limits());
        }
        while (pool.findRejectionReason().isPresent()) {
            Thread.onSpinWait();
        }
        assertEquals(Set.of(), read(SOUND).inspection().limits());
    }

    @Test
    void messageInTheQueue_isRefusedWhenAllThreadsAreAbandoned() throws Exception {
        stick(4);
        for (int i = 0; i < 2; i++) {
            FutureTask<ReadingPool.Outcome> _ = start(() -> read(stuck));
            begun.acquire();
        }
        FutureTask<ReadingPool.Outcome> waiting = start(() -> read(SOUND));
        awaitWaiting(1);
        abandonAll();
        ExecutionException refused = assertThrows(ExecutionException.class, waiting::get);
        assertInstanceOf(ReadingRefusedException.class, refused.getCause());
    }

    @Test
    void closedSession_stopsItsReading() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        MessageReader reader = FailingReader.drawing(begun::release);
        Thread session = Thread.ofVirtual().start(() -> {
            assertThrows(IOException.class, () -> read(reader));
            ended.countDown();
        });
        begun.acquire();
        session.interrupt();
        ended.await();
        while (pool.running() > 0) {
            Thread.onSpinWait();
        }
        assertEquals(Set.of(), read(SOUND).inspection().limits());
    }

    @Test
    void shortOfMemory_isRefused() {
        MessageReader reader = FailingReader.once(new ReadingStopped(ReadingStopped.Reason.HEAP));
        byte[] words = ("Subject: x\r\n\r\n" + "word ".repeat(100_000)).getBytes(US_ASCII);
        assertThrows(
                ReadingRefusedException.class,
                () -> read(reader, () -> new ByteArrayInputStream(words), new KeyBatch()));
    }

    @Test
    void smallMessage_goesBeforeLargeOnes() throws Exception {
        stick(4);
        for (int i = 0; i < 2; i++) {
            FutureTask<ReadingPool.Outcome> _ = start(() -> read(stuck));
            begun.acquire();
        }
        List<String> order = new ArrayList<>();
        FutureTask<Object> large = start(() -> inTurn("large", 1_000_000, order));
        awaitWaiting(1);
        FutureTask<Object> small = start(() -> inTurn("small", 1_000, order));
        awaitWaiting(2);
        // one thread, which takes both in turn
        end.release();
        large.get();
        small.get();
        assertEquals(List.of("small", "large"), order);
    }

    private Object inTurn(String name, long sizeBytes, List<String> order) throws IOException {
        MessageReader reader = FailingReader.neverDrawing(() -> {
            synchronized (order) {
                order.add(name);
            }
            throw new ReadingStopped(ReadingStopped.Reason.TIME);
        });
        return pool.read(
                reader,
                () -> new ByteArrayInputStream(MESSAGE),
                sizeBytes,
                PublicSuffixes.bundled(),
                Set.of(),
                new KeyBatch(),
                reader.createAllowance());
    }

    private void awaitWaiting(int count) {
        while (pool.waiting() < count) {
            Thread.onSpinWait();
        }
    }

    @Test
    void log_hasOneLineAMinute() throws Exception {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger log = (Logger) LoggerFactory.getLogger(ReadingPool.class);
        log.addAppender(lines);
        log.setLevel(Level.WARN);
        for (int i = 0; i < 3; i++) {
            stopOne();
        }
        pass(ReadingPool.LOG_INTERVAL.minusNanos(1));
        assertEquals(1, lines.list.size(), lines.list::toString);
        assertTrue(lines.list.getFirst().getFormattedMessage().contains(Sha256.hex(MESSAGE)));
        pass(Duration.ofNanos(1));
        log.setLevel(null);
        log.detachAppender(lines);
        assertEquals(2, lines.list.size(), lines.list::toString);
        assertTrue(lines.list.getLast().getFormattedMessage().contains("2 more"), lines.list::toString);
    }

    private void stopOne() throws Exception {
        begun.drainPermits();
        FutureTask<ReadingPool.Outcome> hostile = start(() -> read(drawing));
        begun.acquire();
        pool.checkReadings();
        cpuNanos.addAndGet(ReadingPool.MAX_CPU.toNanos());
        pool.checkReadings();
        hostile.get();
    }

    @Test
    void evaluation_defersAMessageThatTookTooLong() throws Exception {
        EvaluationRig rig = new EvaluationRig(new SmallLayer().inForce());
        MessageEvaluator evaluator =
                rig.evaluator(PolicyOptions.defaults(), new MessageEvaluator.Reading(drawing, pool));
        FutureTask<MessageDecision> hostile =
                start(() -> rig.rule(evaluator, EvaluationRig.client("192.0.2.1"), "a@b.example", "x", "c@d.example"));
        begun.acquire();
        pool.checkReadings();
        pass(ReadingPool.MAX_TIME);
        assertEquals(Action.DEFER, hostile.get().enforced());
        assertEquals(Set.of(Limit.TIME), hostile.get().limits());
    }
}
