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
    /// @param what is waited for, in the message of an interruption
    /// @throws IOException that of the task; or that this thread was interrupted, which it is again then
    public static <T> T of(Future<T> task, String what) throws IOException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException broken -> throw broken;
                case RuntimeException fault -> throw fault;
                case null, default -> throw new IllegalStateException(e.getCause());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + what);
        }
    }
}
