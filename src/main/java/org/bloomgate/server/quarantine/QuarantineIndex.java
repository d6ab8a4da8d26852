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

/// The envelopes of the quarantine in memory, so that a search reads only new ones. If there is not enough
/// memory, the oldest messages are left out. Thread-safe.
///
/// Its memory is part of that of the clients: at most [#MAX_BYTES], and at most a quarter. In addition it has
/// about 150 bytes for each message, also those left out, with its share of the bounds.
public final class QuarantineIndex {
    static final long MAX_BYTES = 64 << 20;

    private static final int MEMORY_FRACTION = 4;

    /// The size of an entry without its texts, including its places in both collections.
    private static final int ENTRY_BYTES = 320;

    private static final int TEXT_BYTES = 40;

    /// A change of a folder within this time before it was read may have been missed.
    private static final Duration CLOCK_GRANULARITY = Duration.ofSeconds(2);

    private static final Duration READ_TIME = Duration.ofMillis(200);

    /// At a bound the folders are read again, as another process may have removed messages, but not for each
    /// message.
    private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(QuarantineIndex.class);

    private static final Comparator<IndexEntry> OLDEST_FIRST = Comparator.<IndexEntry, Instant>comparing(
                    entry -> entry.summary().time())
            .thenComparing(entry -> entry.summary().token());

    private final Quarantine quarantine;
    private final ClientMemory memory;
    private final long maxBytes;
    private final Duration refreshInterval;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, IndexEntry> entries = new HashMap<>();
    private final TreeSet<IndexEntry> byTime = new TreeSet<>(OLDEST_FIRST);

    /// Texts that occur in many envelopes, each stored once.
    private final Map<String, String> sharedTexts = new HashMap<>();

    /// The share of the bounds of every message, including those that are being written.
    private final Map<String, QuarantineShares.Share> shareByToken = new HashMap<>();

    private final QuarantineShares shares = new QuarantineShares();
    private final Set<String> writing = new HashSet<>();

    /// Tokens of messages for which there is no memory.
    private final Set<String> leftOut = new HashSet<>();

    /// The messages in memory; empty after a change.
    private List<QuarantineSummary> newestFirst = List.of();

    /// The size of the messages in the index.
    private long totalBytes;

    private long usedBytes;
    private List<FileTime> readFolderTimes = List.of();
    private int unread;
    private volatile boolean loaded;
    private long refreshedNanos;

    /// @param memory of the clients
    public QuarantineIndex(Quarantine quarantine, ClientMemory memory) {
        this(quarantine, memory, MAX_BYTES, REFRESH_INTERVAL);
    }

    QuarantineIndex(Quarantine quarantine, ClientMemory memory, long maxBytes, Duration refreshInterval) {
        this.quarantine = quarantine;
        this.refreshInterval = refreshInterval;
        this.memory = memory;
        this.maxBytes = Math.min(maxBytes, memory.totalBytes() / MEMORY_FRACTION);
    }

    /// @param envelope time at which the envelope was last written
    private record IndexEntry(QuarantineSummary summary, FileTime envelope, long bytes) {}

    /// The result of a search.
    ///
    /// @param messages in memory that match the filter, newest first
    /// @param total messages on disk
    /// @param totalBytes of those in memory
    /// @param leftOut the oldest messages, for which there is no memory
    /// @param unread messages whose envelopes have not been read yet
    public record Found(List<QuarantineSummary> messages, int total, long totalBytes, int leftOut, int unread) {}

    /// Reads new envelopes for at most a certain time, and returns the matching messages.
    ///
    /// @throws IOException if the folders cannot be read
    public Found find(Predicate<QuarantineSummary> filter, Duration within) throws IOException {
        lock.lock();
        try {
            refresh(within);
            if (newestFirst.size() != byTime.size()) {
                newestFirst =
                        byTime.descendingSet().stream().map(IndexEntry::summary).toList();
            }
            List<QuarantineSummary> messages =
                    newestFirst.stream().filter(filter).toList();
            return new Found(messages, entries.size() + leftOut.size() + unread, totalBytes, leftOut.size(), unread);
        } finally {
            lock.unlock();
        }
    }

    /// The same messages with their current recipients.
    public List<QuarantineSummary> current(List<QuarantineSummary> messages) throws IOException {
        lock.lock();
        try {
            for (QuarantineSummary message : messages) {
                Optional<IndexEntry> entry = Optional.ofNullable(entries.get(message.token()));
                if (entry.isPresent()
                        && !quarantine
                                .envelopeTime(message.token())
                                .equals(entry.get().envelope())) {
                    remove(entry.get());
                    Optional<QuarantinedMessage> file = quarantine.find(message.token());
                    if (file.isPresent()) {
                        read(message.token(), file.get().file());
                    }
                }
            }
            return messages.stream()
                    .flatMap(message -> Stream.ofNullable(entries.get(message.token())))
                    .map(IndexEntry::summary)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /// Reads all envelopes. Called by a background thread; searches do not wait for it.
    public void load() throws InterruptedException {
        try {
            while (find(_ -> false, READ_TIME).unread() > 0) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        } catch (IOException e) {
            LOG.warn("quarantine: {}", IoText.describe(e));
        }
    }

    /// Reserves room for a message before it is written, if it exceeds no bound; [#endReservation] must follow
    /// then. The first call after a start waits until all envelopes are read.
    ///
    /// @param bytes of the message
    Optional<QuarantineBound> reserve(QuarantineEnvelope envelope, long bytes, QuarantineOptions bounds)
            throws IOException {
        while (!loaded) {
            loaded = find(_ -> false, READ_TIME).unread() == 0;
        }
        QuarantineShares.Share share =
                QuarantineShares.Share.of(Optional.of(envelope), bytes + Quarantine.envelopeBytes(envelope));
        lock.lock();
        try {
            Optional<QuarantineBound> bound = shares.exceeded(share, bounds);
            if (bound.isPresent() && System.nanoTime() - refreshedNanos > refreshInterval.toNanos()) {
                refresh(READ_TIME);
                bound = shares.exceeded(share, bounds);
            }
            if (bound.isEmpty()) {
                putShare(envelope.token(), share);
                writing.add(envelope.token());
            }
            return bound;
        } finally {
            lock.unlock();
        }
    }

    /// Ends the reservation of a message.
    ///
    /// @param written false if the message was not written, so that its room is free again
    void endReservation(String token, boolean written) {
        lock.lock();
        try {
            writing.remove(token);
            if (!written) {
                removeToken(token);
            }
        } finally {
            lock.unlock();
        }
    }

    private void putShare(String token, QuarantineShares.Share share) {
        Optional.ofNullable(shareByToken.put(token, share)).ifPresent(shares::remove);
        shares.add(share);
    }

    private void refresh(Duration within) throws IOException {
        long deadline = System.nanoTime() + within.toNanos();
        Instant before = Instant.now().minus(CLOCK_GRANULARITY);
        List<FileTime> folderTimes = quarantine.folderTimes();
        if (unread == 0 && folderTimes.equals(readFolderTimes)) {
            return;
        }
        Map<String, Path> files = quarantine.messages();
        List.copyOf(shareByToken.keySet()).stream()
                .filter(token -> !files.containsKey(token) && !writing.contains(token))
                .forEach(this::removeToken);
        if (usedBytes <= maxBytes / 4 * 3) {
            // messages were removed, so there is memory for those left out
            leftOut.clear();
        }
        unread = 0;
        for (Map.Entry<String, Path> file : files.entrySet()) {
            if (entries.containsKey(file.getKey()) || leftOut.contains(file.getKey())) {
                continue;
            }
            if (System.nanoTime() > deadline) {
                unread++;
            } else {
                read(file.getKey(), file.getValue());
            }
        }
        boolean isStable = writing.isEmpty()
                && folderTimes.stream().allMatch(time -> time.toInstant().isBefore(before));
        readFolderTimes = isStable ? folderTimes : List.of();
        refreshedNanos = System.nanoTime();
    }

    private void read(String token, Path file) throws IOException {
        FileTime envelope = quarantine.envelopeTime(token);
        Optional<QuarantinedMessage> message = quarantine.describe(file);
        if (message.isEmpty()) {
            return;
        }
        long bytes = message.get().sizeBytes()
                + message.get().envelope().map(Quarantine::envelopeBytes).orElse(0L);
        putShare(token, QuarantineShares.Share.of(message.get().envelope(), bytes));
        QuarantineSummary summary = withSharedTexts(QuarantineSummary.of(message.get()));
        IndexEntry entry = new IndexEntry(summary, envelope, cost(summary));
        while (usedBytes + entry.bytes() > maxBytes || !memory.take(entry.bytes())) {
            if (byTime.isEmpty() || OLDEST_FIRST.compare(byTime.first(), entry) > 0) {
                leftOut.add(token);
                return;
            }
            IndexEntry oldest = byTime.first();
            remove(oldest);
            leftOut.add(oldest.summary().token());
        }
        usedBytes += entry.bytes();
        totalBytes += entry.summary().sizeBytes();
        newestFirst = List.of();
        entries.put(token, entry);
        byTime.add(entry);
    }

    private void removeToken(String token) {
        Optional.ofNullable(shareByToken.remove(token)).ifPresent(shares::remove);
        leftOut.remove(token);
        Optional.ofNullable(entries.get(token)).ifPresent(this::remove);
    }

    private void remove(IndexEntry entry) {
        entries.remove(entry.summary().token());
        byTime.remove(entry);
        usedBytes -= entry.bytes();
        totalBytes -= entry.summary().sizeBytes();
        newestFirst = List.of();
        memory.giveBack(entry.bytes());
    }

    private QuarantineSummary withSharedTexts(QuarantineSummary summary) {
        return new QuarantineSummary(
                summary.token(),
                summary.time(),
                summary.client(),
                summary.mailFrom(),
                summary.recipients(),
                summary.from(),
                summary.subject(),
                sharedTexts(summary.verdict()),
                sharedTexts(summary.reason()),
                sharedTexts(summary.feed()),
                sharedTexts(summary.category()),
                summary.value(),
                summary.sizeBytes());
    }

    private String sharedTexts(String text) {
        return sharedTexts.size() < 10_000
                ? sharedTexts.computeIfAbsent(text, same -> same)
                : sharedTexts.getOrDefault(text, text);
    }

    private static long cost(QuarantineSummary summary) {
        return ENTRY_BYTES
                + Stream.concat(
                                Stream.of(
                                        summary.token(),
                                        summary.client(),
                                        summary.mailFrom(),
                                        summary.from(),
                                        summary.subject(),
                                        summary.value()),
                                summary.recipients().stream())
                        .mapToLong(QuarantineIndex::cost)
                        .sum();
    }

    private static long cost(String text) {
        boolean wide = text.chars().anyMatch(c -> c > 0xff);
        return TEXT_BYTES + (wide ? 2L : 1L) * text.length();
    }
}
