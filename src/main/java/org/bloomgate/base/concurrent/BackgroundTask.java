package org.bloomgate.base.concurrent;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A task on a daemon thread of its own, `bloomgate-NAME`. Exceptions that it throws are logged under its name.
/// Thread-safe.
///
/// Closing interrupts the task and waits for it at most [#CLOSE_WITHIN]; the caller must not hold a lock that
/// the task may be waiting for.
public final class BackgroundTask implements AutoCloseable {
    static final Duration CLOSE_WITHIN = Duration.ofSeconds(5);

    private static final Duration BEGIN_AGAIN_AFTER = Duration.ofSeconds(5);
    private static final String PREFIX = "bloomgate-";
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundTask.class);

    private final String name;
    private final Thread thread;
    private volatile boolean closing;

    /// The code that is run. An interruption ends it.
    @FunctionalInterface
    public interface Task {
        void run() throws InterruptedException;
    }

    private interface Body {
        void run(BackgroundTask own) throws InterruptedException;
    }

    private BackgroundTask(String name, ThreadFactory threads, Body body) {
        this.name = name;
        this.thread = threads.newThread(() -> run(body));
        thread.start();
    }

    /// Runs the task once, now.
    public static BackgroundTask start(String name, Task task) {
        return new BackgroundTask(name, createThreadFactory(name), own -> {
            boolean _ = own.attempt(task);
        });
    }

    /// Runs a task that ends only when it is told to. After a fault, which is logged, it begins again.
    public static BackgroundTask keepRunning(String name, Task task) {
        return keepRunning(BEGIN_AGAIN_AFTER, name, task);
    }

    static BackgroundTask keepRunning(Duration pause, String name, Task task) {
        return new BackgroundTask(name, createThreadFactory(name), own -> {
            while (!own.attempt(task) && !own.closing) {
                Thread.sleep(pause);
            }
        });
    }

    /// As [#start] on a virtual thread, for code that sessions run as well: what the JIT compiler has made for
    /// virtual threads alone would be compiled again when the first platform thread runs it.
    public static BackgroundTask startVirtual(String name, Task task) {
        return new BackgroundTask(name, Thread.ofVirtual().name(PREFIX + name).factory(), own -> {
            boolean _ = own.attempt(task);
        });
    }

    /// Runs the task again and again, after a pause before each time, the first included. A run that fails is
    /// logged and followed by the next.
    public static BackgroundTask every(Duration pause, String name, Task task) {
        return repeat(() -> pause, name, task);
    }

    private static BackgroundTask repeat(Supplier<Duration> pause, String name, Task task) {
        return new BackgroundTask(name, createThreadFactory(name), own -> {
            while (!own.closing) {
                Thread.sleep(pause.get());
                boolean _ = own.attempt(task);
            }
        });
    }

    /// A factory of daemon threads of this name, for example for an executor.
    public static ThreadFactory createThreadFactory(String name) {
        return Thread.ofPlatform().daemon().name(PREFIX + name).factory();
    }

    /// @return whether the task ended by itself
    private boolean attempt(Task task) throws InterruptedException {
        try {
            task.run();
            return true;
        } catch (RuntimeException | Error fault) {
            LOG.error("{}: failed", name, fault);
            return false;
        }
    }

    private void run(Body body) {
        try {
            body.run(this);
        } catch (InterruptedException e) {
            if (!closing) {
                LOG.warn("{}: interrupted", name);
            }
        }
    }

    /// Ends the park of a task that waits in [LockSupport].
    public void unpark() {
        LockSupport.unpark(thread);
    }

    /// Waits for the end of a task that ends by itself; does not interrupt it.
    public void finish(Duration timeout) {
        try {
            if (!thread.equals(Thread.currentThread()) && !thread.join(timeout)) {
                LOG.warn("{}: did not end within {}", name, timeout);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closing = true;
        thread.interrupt();
        finish(CLOSE_WITHIN);
    }
}
