package org.bloomgate.base.concurrent;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/// The result of a task on another thread.
public final class TaskResult {
    private TaskResult() {}

    /// Waits for the task.
    ///
    /// @param what the task does, for the message of an interruption: "interrupted while ..."
    /// @throws IOException the exception of the task; or an InterruptedIOException, with the thread's interrupt
    /// flag set again
    public static <T> T await(Future<T> task, String what) throws IOException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException cause -> throw cause;
                case RuntimeException fault -> throw fault;
                case null, default -> throw new IllegalStateException(e.getCause());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + what);
        }
    }
}
