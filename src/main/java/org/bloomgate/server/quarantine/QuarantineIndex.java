package org.bloomgate.server.quarantine;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
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
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.Token;
import org.bloomgate.base.net.ClientMemory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The envelopes of the quarantine in memory, so that a search reads only those that are new. Where the memory ends,
/// the oldest messages are left out. Thread-safe.
///
/// What it takes is part of the memory of clients: at most [#MAX_BYTES], and at most a quarter of that memory.
public final class QuarantineIndex {
    static final long MAX_BYTES = 64 << 20;

    private static final int MEMORY_FRACTION = 4;

    /// Objects of an entry beside its texts, with their places in both collections.
    private static final int ENTRY_BYTES = 320;

    private static final int TEXT_BYTES = 40;

    /// A change of a folder within this time before it was read may have been missed.
    private static final Duration CLOCK_STEP = Duration.ofSeconds(2);

    private static final Duration STEP = Duration.ofMillis(200);
    private static final Logger LOG = LoggerFactory.getLogger(QuarantineIndex.class);

    private static final Comparator<Kept> OLDEST_FIRST = Comparator.<Kept, Instant>comparing(
                    kept -> kept.summary().time())
            .thenComparing(kept -> kept.summary().token());

    private final Quarantine quarantine;
    private final ClientMemory memory;
    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Kept> known = new HashMap<>();
    private final TreeSet<Kept> byTime = new TreeSet<>(OLDEST_FIRST);

    /// Texts that many envelopes have.
    private final Map<String, String> shared = new HashMap<>();

    /// Sorted hashes of the tokens of messages that are left out.
    private long[] leftOut = {};

    /// Those that the refresh under way leaves out.
    private final Set<Long> leavingOut = new HashSet<>();

    /// The messages in memory; empty when they changed.
    private List<QuarantineSummary> newestFirst = List.of();

    /// Of the messages in memory.
    private long totalBytes;

    private long takenBytes;
    private List<FileTime> seen = List.of();
    private int unread;

    /// @param memory that it takes its own from
    public QuarantineIndex(Quarantine quarantine, ClientMemory memory) {
        this(quarantine, memory, MAX_BYTES);
    }

    QuarantineIndex(Quarantine quarantine, ClientMemory memory, long maxBytes) {
        this.quarantine = quarantine;
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
            return new Found(messages, known.size() + leftOut.length + unread, totalBytes, leftOut.length, unread);
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
                    forget(kept.get());
                    Optional<QuarantinedMessage> file = quarantine.find(message.token());
                    if (file.isPresent()) {
                        read(message.token(), file.get().file());
                    }
                }
            }
            mergeLeftOut();
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

    private void refresh(Duration within) throws IOException {
        long deadline = System.nanoTime() + within.toNanos();
        Instant before = Instant.now().minus(CLOCK_STEP);
        List<FileTime> now = quarantine.folderTimes();
        if (unread == 0 && now.equals(seen)) {
            return;
        }
        Map<String, Path> there = quarantine.messages();
        List.copyOf(known.values()).stream()
                .filter(kept -> !there.containsKey(kept.summary().token()))
                .forEach(this::forget);
        keepLeftOut(there.keySet());
        unread = 0;
        for (Map.Entry<String, Path> one : there.entrySet()) {
            if (known.containsKey(one.getKey()) || isLeftOut(one.getKey())) {
                continue;
            }
            if (System.nanoTime() > deadline) {
                unread++;
            } else {
                read(one.getKey(), one.getValue());
            }
        }
        mergeLeftOut();
        seen = now.stream().allMatch(time -> time.toInstant().isBefore(before)) ? now : List.of();
    }

    /// Messages that are left out are read again once others are gone.
    private void keepLeftOut(Set<String> there) {
        if (leftOut.length > 0) {
            boolean full = takenBytes > maxBytes / 4 * 3;
            leftOut = full
                    ? there.stream()
                            .mapToLong(QuarantineIndex::hash)
                            .filter(hash -> Arrays.binarySearch(leftOut, hash) >= 0)
                            .sorted()
                            .toArray()
                    : new long[0];
        }
    }

    private boolean isLeftOut(String token) {
        if (leftOut.length == 0 && leavingOut.isEmpty()) {
            return false;
        }
        long hash = hash(token);
        return Arrays.binarySearch(leftOut, hash) >= 0 || leavingOut.contains(hash);
    }

    private void mergeLeftOut() {
        if (!leavingOut.isEmpty()) {
            leftOut = LongStream.concat(
                            LongStream.of(leftOut), leavingOut.stream().mapToLong(Long::longValue))
                    .sorted()
                    .distinct()
                    .toArray();
            leavingOut.clear();
        }
    }

    private void read(String token, Path file) throws IOException {
        FileTime envelope = quarantine.envelopeTime(token);
        Optional<QuarantineSummary> summary = quarantine.look(file).map(QuarantineSummary::of);
        if (summary.isEmpty()) {
            return;
        }
        QuarantineSummary one = sharing(summary.get());
        Kept kept = new Kept(one, envelope, cost(one));
        while (takenBytes + kept.bytes() > maxBytes || !memory.take(kept.bytes())) {
            if (byTime.isEmpty() || OLDEST_FIRST.compare(byTime.first(), kept) > 0) {
                leavingOut.add(hash(token));
                return;
            }
            Kept oldest = byTime.first();
            forget(oldest);
            leavingOut.add(hash(oldest.summary().token()));
        }
        takenBytes += kept.bytes();
        totalBytes += kept.summary().sizeBytes();
        newestFirst = List.of();
        known.put(token, kept);
        byTime.add(kept);
    }

    private void forget(Kept kept) {
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

    /// Of tokens, no two are the same.
    private static long hash(String name) {
        return Token.parse(name).map(Token::bits).orElseGet(() -> Long.MIN_VALUE | name.hashCode());
    }
}
