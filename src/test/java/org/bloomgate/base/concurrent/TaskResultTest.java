package org.bloomgate.base.concurrent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TaskResultTest {
    @Test
    void isWhatTheTaskGave() throws IOException {
        assertEquals("all", TaskResult.await(CompletableFuture.completedFuture("all"), "it ran"));
    }

    @Test
    void isTheFaultOfTheTask() {
        IOException broken = new IOException("broken");
        assertSame(broken, assertThrows(IOException.class, () -> TaskResult.await(failed(broken), "it ran")));
        RuntimeException fault = new IllegalArgumentException("fault");
        assertSame(fault, assertThrows(RuntimeException.class, () -> TaskResult.await(failed(fault), "it ran")));
        Error error = new AssertionError("error");
        assertSame(
                error,
                assertThrows(IllegalStateException.class, () -> TaskResult.await(failed(error), "it ran"))
                        .getCause());
    }

    private static CompletableFuture<String> failed(Throwable fault) {
        return CompletableFuture.failedFuture(fault);
    }

    @Test
    void isNotWaitedForByAThreadThatIsInterrupted() {
        Thread.currentThread().interrupt();
        InterruptedIOException ended = assertThrows(
                InterruptedIOException.class, () -> TaskResult.await(new CompletableFuture<String>(), "it ran"));
        assertTrue(Thread.interrupted());
        assertEquals("interrupted while it ran", ended.getMessage());
    }
}
