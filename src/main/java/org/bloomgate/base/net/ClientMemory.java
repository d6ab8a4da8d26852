package org.bloomgate.base.net;

import java.time.Duration;

/// A budget of heap for the clients of all listeners together. A listener reserves memory here before it serves
/// a client, and answers 421 or 503 when the budget is used up, so that clients cannot cause an
/// OutOfMemoryError.
///
/// A quarter is for connections that bring mail, so that no other use of the gateway keeps mail out. What a client
/// costs is [ClientCost]; bodies and messages count by their size. Thread-safe.
public final class ClientMemory {
    /// Two fifths of the heap. The rest is for snapshots, caches, the evaluation of messages and for what is garbage.
    static final int TENTHS_OF_HEAP = 4;

    private static final int RESERVED_FRACTION = 4;

    private static final ClientMemory OF_PROCESS =
            new ClientMemory(ofHeap(Runtime.getRuntime().maxMemory()));

    private final long totalBytes;
    private final long openBytes;
    private long takenBytes;
    private int waiting;

    public ClientMemory(long totalBytes) {
        this.totalBytes = totalBytes;
        this.openBytes = totalBytes - totalBytes / RESERVED_FRACTION;
    }

    /// The one of this process, as it has one heap.
    public static ClientMemory ofProcess() {
        return OF_PROCESS;
    }

    /// What clients may take of a heap of this size.
    public static long ofHeap(long maxBytes) {
        return maxBytes / 10 * TENTHS_OF_HEAP;
    }

    /// Whether clients other than those that bring mail may ever have so many bytes.
    public boolean canTake(long bytes) {
        return bytes <= openBytes;
    }

    /// All of it or nothing. What is taken must be given back.
    public synchronized boolean take(long bytes) {
        return takeBelow(openBytes, bytes);
    }

    /// As [#take], from what is reserved as well.
    public synchronized boolean takeForMail(long bytes) {
        return takeBelow(totalBytes, bytes);
    }

    /// As [#take], and waits for others to give back. An interrupted thread does not wait.
    public synchronized boolean takeWithin(long bytes, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        waiting++;
        try {
            while (!takeBelow(openBytes, bytes)) {
                long left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
                if (left <= 0 || !canTake(bytes)) {
                    return false;
                }
                wait(left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            waiting--;
        }
    }

    private boolean takeBelow(long bound, long bytes) {
        boolean enough = takenBytes + bytes <= bound;
        takenBytes += enough ? bytes : 0;
        return enough;
    }

    /// As many bytes as were taken at once.
    public synchronized void giveBack(long bytes) {
        takenBytes -= bytes;
        if (waiting > 0) {
            notifyAll();
        }
    }

    public long totalBytes() {
        return totalBytes;
    }

    public synchronized long takenBytes() {
        return takenBytes;
    }
}
