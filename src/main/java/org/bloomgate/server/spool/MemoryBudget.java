package org.bloomgate.server.spool;

import java.util.concurrent.atomic.AtomicLong;

/// The memory that the messages of all sessions may take together. Who does not get a share does without: a budget
/// that is used up costs disk writes, never a message. Thread-safe.
public final class MemoryBudget {
    private final AtomicLong taken = new AtomicLong();
    private final long totalBytes;
    private final BlockPool blocks = new BlockPool();

    public MemoryBudget(long totalBytes) {
        this.totalBytes = totalBytes;
    }

    /// The pool of buffers; a block counts for the message that holds it.
    public BlockPool blocks() {
        return blocks;
    }

    /// All of it or nothing.
    public boolean take(long bytes) {
        if (taken.addAndGet(bytes) <= totalBytes) {
            return true;
        }
        taken.addAndGet(-bytes);
        return false;
    }

    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }
}
