package org.bloomgate.server.spool;

import java.util.concurrent.atomic.AtomicLong;
import org.bloomgate.base.net.ClientMemory;

/// The memory that the messages of all sessions may take together, out of that of all clients. Who does not get a share
/// does without: a budget that is used up costs disk writes, never a message. Thread-safe.
public final class MemoryBudget {
    private final AtomicLong taken = new AtomicLong();
    private final long totalBytes;
    private final ClientMemory clients = ClientMemory.ofProcess();
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
        if (taken.addAndGet(bytes) <= totalBytes && clients.take(bytes)) {
            return true;
        }
        taken.addAndGet(-bytes);
        return false;
    }

    public void giveBack(long bytes) {
        taken.addAndGet(-bytes);
        clients.giveBack(bytes);
    }
}
