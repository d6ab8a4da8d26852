package org.bloomgate.server.spool;

import java.util.concurrent.atomic.AtomicLong;
import org.bloomgate.base.net.ClientMemory;

/// The memory that the messages of all sessions may use, part of the memory of all clients. An exhausted budget
/// costs disk writes, never a message. Thread-safe.
public final class MemoryBudget {
    private final AtomicLong usedBytes = new AtomicLong();
    private final long totalBytes;
    private final ClientMemory clients = ClientMemory.ofProcess();
    private final BlockPool blocks = new BlockPool();

    public MemoryBudget(long totalBytes) {
        this.totalBytes = totalBytes;
    }

    /// The pool of blocks, which are counted by their users.
    public BlockPool blocks() {
        return blocks;
    }

    /// Takes all of the bytes or none.
    public boolean take(long bytes) {
        if (usedBytes.addAndGet(bytes) <= totalBytes && clients.take(bytes)) {
            return true;
        }
        usedBytes.addAndGet(-bytes);
        return false;
    }

    /// Returns bytes that were taken.
    public void giveBack(long bytes) {
        usedBytes.addAndGet(-bytes);
        clients.giveBack(bytes);
    }
}
