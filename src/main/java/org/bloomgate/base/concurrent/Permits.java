package org.bloomgate.base.concurrent;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/// At most this many at once, and of one owner at most so many of them. Thread-safe.
public final class Permits {
    private final Semaphore all;
    private final int mostOfOne;
    private final Map<String, Integer> owners = new ConcurrentHashMap<>();

    public Permits(int most, int mostOfOne) {
        this.all = new Semaphore(most);
        this.mostOfOne = mostOfOne;
    }

    public boolean tryAcquire(String owner) {
        if (owners.merge(owner, 1, Integer::sum) <= mostOfOne && all.tryAcquire()) {
            return true;
        }
        leave(owner);
        return false;
    }

    public void release(String owner) {
        all.release();
        leave(owner);
    }

    private void leave(String owner) {
        owners.computeIfPresent(owner, (_, count) -> count > 1 ? count - 1 : null);
    }
}
