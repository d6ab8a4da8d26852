package org.bloomgate.base.concurrent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BackgroundTaskTest {
    private static final long PATIENCE = 10;

    @Test
    void aTaskRunsOnADaemonThreadOfItsName() throws Exception {
        CompletableFuture<Thread> ran = new CompletableFuture<>();

        BackgroundTask.start("task", () -> ran.complete(Thread.currentThread())).finish(Duration.ofSeconds(PATIENCE));

        assertEquals("bloomgate-task", ran.get(0, TimeUnit.SECONDS).getName());
        assertTrue(ran.get().isDaemon());
    }

    @Test
    void aTaskRunsOnAVirtualThreadOfItsNameWhereThatIsAskedFor() throws Exception {
        CompletableFuture<Thread> ran = new CompletableFuture<>();

        BackgroundTask.startVirtual("task", () -> ran.complete(Thread.currentThread()))
                .finish(Duration.ofSeconds(PATIENCE));

        assertEquals("bloomgate-task", ran.get(0, TimeUnit.SECONDS).getName());
        assertTrue(ran.get().isVirtual());
    }

    @Test
    void aRunThatFailsIsFollowedByTheNext() throws Exception {
        CountDownLatch runs = new CountDownLatch(3);

        try (BackgroundTask _ = BackgroundTask.every(Duration.ofMillis(1), "task", () -> {
            runs.countDown();
            throw new IllegalStateException("expected by this test");
        })) {
            assertTrue(runs.await(PATIENCE, TimeUnit.SECONDS));
        }
    }

    @Test
    void aTaskThatIsKeptRunningBeginsAgainAfterAFaultUntilItEnds() {
        AtomicInteger runs = new AtomicInteger();
        BackgroundTask task = BackgroundTask.keepRunning(Duration.ofMillis(1), "task", () -> {
            switch (runs.incrementAndGet()) {
                case 1 -> throw new IllegalStateException("expected by this test");
                case 2 -> throw new InternalError("expected by this test");
                default -> {}
            }
        });

        task.finish(Duration.ofSeconds(PATIENCE));

        assertEquals(3, runs.get());
    }

    @Test
    void closingEndsATaskThatWaitsAndReturnsWhenItHasEnded() throws Exception {
        CompletableFuture<Thread> waiting = new CompletableFuture<>();
        BackgroundTask task = BackgroundTask.start("task", () -> {
            waiting.complete(Thread.currentThread());
            new CountDownLatch(1).await();
        });
        Thread thread = waiting.get(PATIENCE, TimeUnit.SECONDS);

        task.close();

        assertFalse(thread.isAlive());
    }

    @Test
    void aTaskMayCloseItself() throws Exception {
        CompletableFuture<BackgroundTask> self = new CompletableFuture<>();
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        self.complete(BackgroundTask.start("task", () -> {
            self.join().close();
            closed.complete(Thread.interrupted());
        }));

        assertTrue(closed.get(PATIENCE, TimeUnit.SECONDS));
    }
}
