package org.bloomgate.lists.layer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.core.bloom.FilterFullException;
import org.bloomgate.core.bloom.Workers;

/// Runs one part of the work on each processor, one of them on the calling thread.
final class WorkerThreads implements Workers, AutoCloseable {
    /// Building a filter is limited by memory bandwidth: more threads would only wait.
    private static final int MAX_PARTS = 8;

    private final int parts = Math.min(MAX_PARTS, Runtime.getRuntime().availableProcessors());
    private final ExecutorService threads =
            Executors.newFixedThreadPool(Math.max(1, parts - 1), BackgroundTask.createThreadFactory("rebuild"));

    @Override
    public int parts() {
        return parts;
    }

    @Override
    public void run(IntConsumer part) {
        List<Future<?>> others = new ArrayList<>();
        for (int i = 1; i < parts; i++) {
            int number = i;
            others.add(threads.submit(() -> part.accept(number)));
        }
        part.accept(0);
        for (Future<?> other : others) {
            awaitResult(other);
        }
    }

    /// Runs it as soon as a thread is free; closing waits for it.
    Future<?> begin(WriteTask writing) {
        return threads.submit(writing.asCallable());
    }

    /// The result of a part.
    static <T> T awaitResult(Future<T> other) {
        try {
            return other.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof FilterFullException full) {
                throw full;
            }
            throw new IllegalStateException("a part of the work failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a part of the work was running", e);
        }
    }

    @Override
    public void close() {
        threads.close();
    }
}
