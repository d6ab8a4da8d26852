package org.bloomgate.server.quarantine;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.net.ClientMemory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The envelopes of the quarantine in memory, so that a search reads only those that are new. Where the memory ends,
/// the oldest messages are left out. Thread-safe.
///
/// What it takes is part of the memory of clients: at most [#MAX_BYTES], and at most a quarter of that memory. Beside
/// it, some 150 bytes a message say what each of them takes of the bounds, also of those that are left out.
public final class QuarantineIndex {
    static final long MAX_BYTES = 64 << 20;

    private static final int MEMORY_FRACTION = 4;

    /// Objects of an entry beside its texts, with their places in both collections.
    private static final int ENTRY_BYTES = 320;

    private static final int TEXT_BYTES = 40;

    /// A change of a folder within this time before it was read may have been missed.
    private static final Duration CLOCK_STEP = Duration.ofSeconds(2);

    private static final Duration STEP = Duration.ofMillis(200);

    /// At a bound the folders are read again, as another process may have removed messages, but not for each message.
    private static final Duration REFRESH = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(QuarantineIndex.class);

    private static final Comparator<Kept> OLDEST_FIRST = Comparator.<Kept, Instant>comparing(
                    kept -> kept.summary().time())
            .thenComparing(kept -> kept.summary().token());

    private final Quarantine quarantine;
    private final ClientMemory memory;
    private final long maxBytes;
    private final Duration refreshEvery;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Kept> known = new HashMap<>();
    private final TreeSet<Kept> byTime = new TreeSet<>(OLDEST_FIRST);

    /// Texts that many envelopes have.
    private final Map<String, String> shared = new HashMap<>();

    /// What every message takes of the bounds, also those that are just being written.
    private final Map<String, QuarantineShares.Holding> held = new HashMap<>();

    private final QuarantineShares shares = new QuarantineShares();
    private final Set<String> writing = new HashSet<>();

    /// Tokens of messages for which there is no memory.
    private final Set<String> leftOut = new HashSet<>();

    /// The messages in memory; empty when they changed.
    private List<QuarantineSummary> newestFirst = List.of();

    /// Of the messages in memory.
    private long totalBytes;

    private long takenBytes;
    private List<FileTime> seen = List.of();
    private int unread;
    private volatile boolean loaded;
    private long refreshedNanos;

    /// @param memory that it takes its own from
    public QuarantineIndex(Quarantine quarantine, ClientMemory memory) {
        this(quarantine, memory, MAX_BYTES, REFRESH);
    }

    QuarantineIndex(Quarantine quarantine, ClientMemory memory, long maxBytes, Duration refreshEvery) {
        this.quarantine = quarantine;
        this.refreshEvery = refreshEvery;
        this.memory = memory;
        this.maxBytes = Math.min(maxBytes, memory.totalBytes() / MEMORY_FRACTION);
    }

    /// @param envelope when it was written last
    private record Kept(QuarantineSummary summary, FileTime envelope, long bytes) {}

    /// What there is.
    ///
    /// @param messages in memory that are wanted, newest first
    /// @param total messages on disk
    /// @param totalBytes of those in memory
    /// @param leftOut the oldest messages, for which there is no memory
    /// @param unread messages whose envelope was not read yet
    public record Found(List<QuarantineSummary> messages, int total, long totalBytes, int leftOut, int unread) {}

    /// Reads new envelopes, for a certain time at most, and returns those that are wanted.
    ///
    /// @throws IOException when the folders cannot be read
    public Found find(Predicate<QuarantineSummary> wanted, Duration within) throws IOException {
        lock.lock();
        try {
            refresh(within);
            if (newestFirst.size() != byTime.size()) {
                newestFirst = byTime.descendingSet().stream().map(Kept::summary).toList();
            }
            List<QuarantineSummary> messages =
                    newestFirst.stream().filter(wanted).toList();
            return new Found(messages, known.size() + leftOut.size() + unread, totalBytes, leftOut.size(), unread);
        } finally {
            lock.unlock();
        }
    }

    /// The same messages with the recipients who wait for them now.
    public List<QuarantineSummary> current(List<QuarantineSummary> messages) throws IOException {
        lock.lock();
        try {
            for (QuarantineSummary message : messages) {
                Optional<Kept> kept = Optional.ofNullable(known.get(message.token()));
                if (kept.isPresent()
                        && !quarantine
                                .envelopeTime(message.token())
                                .equals(kept.get().envelope())) {
                    drop(kept.get());
                    Optional<QuarantinedMessage> file = quarantine.find(message.token());
                    if (file.isPresent()) {
                        read(message.token(), file.get().file());
                    }
                }
            }
            return messages.stream()
                    .flatMap(message -> Stream.ofNullable(known.get(message.token())))
                    .map(Kept::summary)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /// Reads everything, for a thread of its own: a search does not wait for it.
    public void load() throws InterruptedException {
        try {
            while (find(_ -> false, STEP).unread() > 0) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        } catch (IOException unreadable) {
            LOG.warn("quarantine: {}", IoText.describe(unreadable));
        }
    }

    /// Reserves room for a message that is about to be written, if it exceeds no bound; [#settle] must follow then.
    /// The first call after a start waits until all envelopes are read.
    ///
    /// @param bytes of the message
    Optional<QuarantineBound> reserve(QuarantineEnvelope envelope, long bytes, QuarantineOptions bounds)
            throws IOException {
        while (!loaded) {
            loaded = find(_ -> false, STEP).unread() == 0;
        }
        QuarantineShares.Holding one =
                QuarantineShares.Holding.of(Optional.of(envelope), bytes + Quarantine.envelopeBytes(envelope));
        lock.lock();
        try {
            Optional<QuarantineBound> bound = shares.exceeded(one, bounds);
            if (bound.isPresent() && System.nanoTime() - refreshedNanos > refreshEvery.toNanos()) {
                refresh(STEP);
                bound = shares.exceeded(one, bounds);
            }
            if (bound.isEmpty()) {
                hold(envelope.token(), one);
                writing.add(envelope.token());
            }
            return bound;
        } finally {
            lock.unlock();
        }
    }

    /// Ends the reservation of a message.
    ///
    /// @param kept false when it was not written: its room is free again
    void settle(String token, boolean kept) {
        lock.lock();
        try {
            writing.remove(token);
            if (!kept) {
                forget(token);
            }
        } finally {
            lock.unlock();
        }
    }

    private void hold(String token, QuarantineShares.Holding one) {
        Optional.ofNullable(held.put(token, one)).ifPresent(shares::remove);
        shares.add(one);
    }

    private void refresh(Duration within) throws IOException {
        long deadline = System.nanoTime() + within.toNanos();
        Instant before = Instant.now().minus(CLOCK_STEP);
        List<FileTime> now = quarantine.folderTimes();
        if (unread == 0 && now.equals(seen)) {
            return;
        }
        Map<String, Path> there = quarantine.messages();
        List.copyOf(held.keySet()).stream()
                .filter(token -> !there.containsKey(token) && !writing.contains(token))
                .forEach(this::forget);
        if (takenBytes <= maxBytes / 4 * 3) {
            // others are gone, so that there is memory for these
            leftOut.clear();
        }
        unread = 0;
        for (Map.Entry<String, Path> one : there.entrySet()) {
            if (known.containsKey(one.getKey()) || leftOut.contains(one.getKey())) {
                continue;
            }
            if (System.nanoTime() > deadline) {
                unread++;
            } else {
                read(one.getKey(), one.getValue());
            }
        }
        boolean settled = writing.isEmpty()
                && now.stream().allMatch(time -> time.toInstant().isBefore(before));
        seen = settled ? now : List.of();
        refreshedNanos = System.nanoTime();
    }

    private void read(String token, Path file) throws IOException {
        FileTime envelope = quarantine.envelopeTime(token);
        Optional<QuarantinedMessage> message = quarantine.look(file);
        if (message.isEmpty()) {
            return;
        }
        long bytes = message.get().sizeBytes()
                + message.get().envelope().map(Quarantine::envelopeBytes).orElse(0L);
        hold(token, QuarantineShares.Holding.of(message.get().envelope(), bytes));
        QuarantineSummary one = sharing(QuarantineSummary.of(message.get()));
        Kept kept = new Kept(one, envelope, cost(one));
        while (takenBytes + kept.bytes() > maxBytes || !memory.take(kept.bytes())) {
            if (byTime.isEmpty() || OLDEST_FIRST.compare(byTime.first(), kept) > 0) {
                leftOut.add(token);
                return;
            }
            Kept oldest = byTime.first();
            drop(oldest);
            leftOut.add(oldest.summary().token());
        }
        takenBytes += kept.bytes();
        totalBytes += kept.summary().sizeBytes();
        newestFirst = List.of();
        known.put(token, kept);
        byTime.add(kept);
    }

    private void forget(String token) {
        Optional.ofNullable(held.remove(token)).ifPresent(shares::remove);
        leftOut.remove(token);
        Optional.ofNullable(known.get(token)).ifPresent(this::drop);
    }

    private void drop(Kept kept) {
        known.remove(kept.summary().token());
        byTime.remove(kept);
        takenBytes -= kept.bytes();
        totalBytes -= kept.summary().sizeBytes();
        newestFirst = List.of();
        memory.giveBack(kept.bytes());
    }

    private QuarantineSummary sharing(QuarantineSummary one) {
        return new QuarantineSummary(
                one.token(),
                one.time(),
                one.client(),
                one.mailFrom(),
                one.recipients(),
                one.from(),
                one.subject(),
                shared(one.verdict()),
                shared(one.reason()),
                shared(one.feed()),
                shared(one.category()),
                one.value(),
                one.sizeBytes());
    }

    private String shared(String text) {
        return shared.size() < 10_000 ? shared.computeIfAbsent(text, same -> same) : shared.getOrDefault(text, text);
    }

    private static long cost(QuarantineSummary one) {
        return ENTRY_BYTES
                + Stream.concat(
                                Stream.of(
                                        one.token(),
                                        one.client(),
                                        one.mailFrom(),
                                        one.from(),
                                        one.subject(),
                                        one.value()),
                                one.recipients().stream())
                        .mapToLong(QuarantineIndex::cost)
                        .sum();
    }

    private static long cost(String text) {
        boolean wide = text.chars().anyMatch(c -> c > 0xff);
        return TEXT_BYTES + (wide ? 2L : 1L) * text.length();
    }
}
