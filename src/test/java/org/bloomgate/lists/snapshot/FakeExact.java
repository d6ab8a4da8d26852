package org.bloomgate.lists.snapshot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.bloomgate.core.key.Key;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.ExactLookup;

/// An exact tier that lists nothing and counts how often it was closed.
final class FakeExact implements ExactLookup {
    final Path directory;
    final AtomicInteger closed = new AtomicInteger();

    FakeExact(Path directory) {
        this.directory = directory;
    }

    @Override
    public List<ExactAnswer> lookup(List<Key> keys, Duration timeout) {
        if (closed.get() > 0) {
            throw new IllegalStateException("asked after it was closed: " + directory);
        }
        return keys.stream()
                .<ExactAnswer>map(key -> new ExactAnswer.NotListed())
                .toList();
    }

    @Override
    public void close() {
        closed.incrementAndGet();
    }

    /// Opens a fake for every directory that exists and remembers it.
    static final class Opener implements ExactOpener {
        final List<FakeExact> opened = new ArrayList<>();
        String failure = "";
        Runnable whileOpening = () -> {};

        @Override
        public ExactLookup open(Snapshot snapshot) throws IOException {
            whileOpening.run();
            Path exactDirectory = snapshot.exactDirectory();
            if (!failure.isEmpty() || !Files.isDirectory(exactDirectory)) {
                throw new IOException(failure.isEmpty() ? "no store" : failure);
            }
            FakeExact exact = new FakeExact(exactDirectory);
            opened.add(exact);
            return exact;
        }
    }
}
