package org.bloomgate.base.net;

import java.time.Duration;

/// A budget of heap for the clients of all listeners together. A listener reserves memory here before it serves
/// a client, and answers 421 or 503 when the budget is used up, so that clients cannot cause an
/// OutOfMemoryError.
///
/// A quarter is reserved for connections that deliver mail, so that no other use of the gateway keeps mail out.
/// A client costs its [ClientCost]; bodies and messages count by their size. Thread-safe.
public final class ClientMemory {
    /// Two fifths of the heap. The rest is for snapshots, caches, the evaluation of messages and for garbage.
    static final int TENTHS_OF_HEAP = 4;

    private static final int RESERVED_FRACTION = 4;

    private static final ClientMemory OF_PROCESS =
            new ClientMemory(computeBudget(Runtime.getRuntime().maxMemory()));

    private final long totalBytes;
    private final long openBytes;
    private long takenBytes;
    private int waiting;

    public ClientMemory(long totalBytes) {
        this.totalBytes = totalBytes;
        this.openBytes = totalBytes - totalBytes / RESERVED_FRACTION;
    }

    /// The budget of this process, which has one heap.
    public static ClientMemory ofProcess() {
        return OF_PROCESS;
    }

    /// The bytes that clients may take of a heap of this size.
    public static long computeBudget(long maxBytes) {
        return maxBytes / 10 * TENTHS_OF_HEAP;
    }

    /// Whether clients that do not deliver mail may ever take this many bytes.
    public boolean canTake(long bytes) {
        return bytes <= openBytes;
    }

    /// Takes all of the bytes or none. They must be given back.
    public synchronized boolean take(long bytes) {
        return takeBelow(openBytes, bytes);
    }

    /// Like [#take], also from the reserved quarter.
    public synchronized boolean takeForMail(long bytes) {
        return takeBelow(totalBytes, bytes);
    }

    /// Like [#take], and waits for others to give bytes back. An interrupted thread does not wait.
    public synchronized boolean takeWithin(long bytes, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        waiting++;
        try {
            while (!takeBelow(openBytes, bytes)) {
                long remainingMillis =
                        Duration.ofNanos(deadline - System.nanoTime()).toMillis();
                if (remainingMillis <= 0 || !canTake(bytes)) {
                    return false;
                }
                wait(remainingMillis);
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
        boolean isEnough = takenBytes + bytes <= bound;
        takenBytes += isEnough ? bytes : 0;
        return isEnough;
    }

    /// Gives back as many bytes as were taken in one call.
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
