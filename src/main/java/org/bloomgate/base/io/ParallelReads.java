package org.bloomgate.base.io;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.stream.IntStream;

/// Reads files on all processors. The first failure stops the other reads.
final class ParallelReads {
    /// Below this size, threads cost more than they save.
    private static final long WORTH_BYTES = 8 << 20;

    private ParallelReads() {}

    /// Reads each file and returns the results in the order of the files; the largest is started first.
    static <T> List<T> read(List<Path> files, Reading<T> reading) throws IOException {
        List<Long> sizes = new ArrayList<>();
        for (Path file : files) {
            sizes.add(Files.size(file));
        }
        List<Integer> order = IntStream.range(0, files.size())
                .boxed()
                .sorted(Comparator.comparingLong(file -> -sizes.get(file)))
                .toList();
        List<Callable<T>> readings = order.stream()
                .<Callable<T>>map(file -> () -> reading.read(files.get(file)))
                .toList();
        List<T> results =
                read(readings, sizes.stream().mapToLong(Long::longValue).sum());
        List<T> orderedResults = new ArrayList<>(results);
        for (int i = 0; i < results.size(); i++) {
            orderedResults.set(order.get(i), results.get(i));
        }
        return orderedResults;
    }

    /// Reads a file.
    @FunctionalInterface
    interface Reading<T> {
        T read(Path file) throws IOException;
    }

    /// Runs the tasks and returns their results in order. They are started in that order, so the longest should
    /// come first.
    ///
    /// @param bytes that all of them read together
    static <T> List<T> read(List<Callable<T>> readings, long bytes) throws IOException {
        int threads = Math.min(readings.size(), Runtime.getRuntime().availableProcessors());
        List<FutureTask<T>> tasks = readings.stream().map(FutureTask::new).toList();
        if (threads < 2 || bytes < WORTH_BYTES) {
            tasks.forEach(FutureTask::run);
            return awaitResults(tasks);
        }
        ThreadFactory daemons =
                Thread.ofPlatform().daemon().name("bloomgate-digests").factory();
        try (ExecutorService readers = Executors.newFixedThreadPool(threads, daemons)) {
            try {
                tasks.forEach(readers::execute);
                return awaitResults(tasks);
            } finally {
                readers.shutdownNow();
            }
        }
    }

    private static <T> List<T> awaitResults(List<FutureTask<T>> tasks) throws IOException {
        List<T> results = new ArrayList<>();
        try {
            for (FutureTask<T> task : tasks) {
                results.add(task.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while files were read");
        }
    }
}
