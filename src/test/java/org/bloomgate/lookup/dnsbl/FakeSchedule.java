package org.bloomgate.lookup.dnsbl;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/// Remembers what is to run and when; runs it when told.
final class FakeSchedule implements BiFunction<Duration, Runnable, Runnable> {
    private final List<Entry> pending = new ArrayList<>();

    private record Entry(Duration delay, Runnable task) {}

    @Override
    public Runnable apply(Duration delay, Runnable task) {
        Entry entry = new Entry(delay, task);
        pending.add(entry);
        return () -> pending.remove(entry);
    }

    List<Duration> delays() {
        return pending.stream().map(Entry::delay).toList();
    }

    /// Runs the only one there is.
    void run() {
        if (pending.size() != 1) {
            throw new IllegalStateException("pending: " + delays());
        }
        pending.removeFirst().task().run();
    }
}
