package org.bloomgate.decision.reports;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.PrivateFile;
import org.bloomgate.core.limit.ReadingStopped;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.decision.authentication.DkimHeader;
import org.bloomgate.decision.authentication.MessageSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The reports that are not read yet, one file each: a field with the reporter, then the message. A file is on disk
/// before its message is delivered, so a killed process loses none. If the message is then sent again, the report is
/// read twice, and its reporter is counted once. One thread reads the files; no message waits for it. Thread-safe.
public final class ReportQueue implements AutoCloseable {
    /// A report beyond this number, or beyond [#MAX_BYTES] in sum, is deferred.
    static final int MAX_REPORTS = 10_000;

    static final long MAX_BYTES = 1L << 30;

    /// After this number of failures a report that cannot be read is removed.
    static final int MAX_FAILURES = 3;

    /// The failures in a row that end a round: they probably have one cause, such as a full disk.
    static final int MAX_FAILURES_IN_A_ROW = 10;

    private static final String FIELD = "x-bloomgate-report";
    private static final String SUFFIX = ".eml";
    private static final String TEMPORARY = ".tmp";

    /// The time to the next round after a failure, and by which the pause of a report grows with each of its failures.
    static final Duration RETRY = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(ReportQueue.class);

    private final Path directory;
    private final ReportReader reader;
    private final ReportStore store;
    private final int maxReports;
    private final Map<Handling, LongAdder> totals = new EnumMap<>(Handling.class);
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong waitingBytes = new AtomicLong();

    /// Reports whose message is being delivered.
    private final Set<Path> pending = ConcurrentHashMap.newKeySet();

    /// Used by the thread that reads.
    private final Map<Path, Integer> failures = new HashMap<>();

    private final Map<Path, Pause> pauses = new HashMap<>();

    private Optional<BackgroundTask> worker = Optional.empty();
    private volatile boolean closed;

    /// What becomes of a message to an address for reports.
    public enum Handling {
        READ,
        /// A program sent it, or it cannot be read.
        IGNORED,
        /// Its sender is not proven, so it is not a report.
        UNPROVEN,
        DEFERRED
    }

    /// The time for which a report is left alone that could not be read, stored or deleted.
    private record Pause(int failures, long endNanos) {}

    /// Opens the queue and begins to read what an earlier process left.
    public ReportQueue(Path directory, ReportReader reader, ReportStore store) throws IOException {
        this(directory, reader, store, MAX_REPORTS);
        worker = Optional.of(BackgroundTask.keepRunning("reports", this::readUntilClosed));
    }

    /// A queue that is read by [#readWaiting(long)].
    ReportQueue(Path directory, ReportReader reader, ReportStore store, int maxReports) throws IOException {
        this.directory = directory;
        this.reader = reader;
        this.store = store;
        this.maxReports = maxReports;
        for (Handling handling : Handling.values()) {
            totals.put(handling, new LongAdder());
        }
        for (Path torn : list(TEMPORARY)) {
            Files.delete(torn);
        }
        for (Path file : list(SUFFIX)) {
            waiting.incrementAndGet();
            waitingBytes.addAndGet(file.toFile().length());
        }
    }

    /// Stores a report, which is on disk when this returns it. [#end] must be called next.
    ///
    /// @return empty if the message must be deferred: the queue is full or cannot be written, which is logged
    public Optional<Path> add(String token, Instant now, Reporter reporter, MessageSource message) {
        String field = FIELD + ": " + reporter.mailbox() + ' ' + reporter.clientNetwork() + ' ' + now + "\r\n";
        Path file = directory.resolve("%013d-%s%s".formatted(now.toEpochMilli(), token, SUFFIX));
        Path temporary = directory.resolve(token + TEMPORARY);
        pending.add(file);
        if (waiting.incrementAndGet() <= maxReports && waitingBytes.get() < MAX_BYTES) {
            try (InputStream in = new SequenceInputStream(
                    new ByteArrayInputStream(field.getBytes(StandardCharsets.UTF_8)), message.open())) {
                Files.createDirectories(directory, PrivateFile.createFolderAttributes());
                long size = Files.copy(in, temporary);
                DurableFiles.force(temporary);
                DurableFiles.rename(temporary, file);
                waitingBytes.addAndGet(size);
                return Optional.of(file);
            } catch (IOException e) {
                LOG.error("reports: {}: not stored: {} (message deferred)", token, IoText.describe(e));
            }
        } else {
            LOG.warn("reports: {}: not stored: the queue is full (message deferred)", token);
        }
        count(Handling.DEFERRED);
        waiting.decrementAndGet();
        pending.remove(file);
        boolean _ = temporary.toFile().delete();
        return Optional.empty();
    }

    /// Ends what [#add] began.
    ///
    /// @param isDelivered whether the message was delivered; otherwise its client sends it again
    public void end(Path file, boolean isDelivered) {
        try {
            if (!isDelivered) {
                delete(file);
            }
        } catch (IOException e) {
            LOG.warn("reports: {}: not deleted: {} (it will be read)", file, IoText.describe(e));
        }
        pending.remove(file);
        worker.ifPresent(BackgroundTask::unpark);
    }

    private void delete(Path file) throws IOException {
        long size = file.toFile().length();
        Files.deleteIfExists(file);
        waiting.decrementAndGet();
        waitingBytes.addAndGet(-size);
    }

    /// The files with a suffix whose messages are not being delivered, the oldest first.
    private List<Path> list(String suffix) throws IOException {
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(suffix) && !pending.contains(file))
                    .sorted()
                    .toList();
        }
    }

    private void readUntilClosed() {
        while (!closed) {
            try {
                readWaiting(System.nanoTime());
            } catch (IOException | RuntimeException | OutOfMemoryError e) {
                LOG.warn("reports: not read: {} (again in {} s)", describe(e), RETRY.toSeconds());
            }
            LockSupport.parkNanos(this, RETRY.toNanos());
        }
    }

    private static String describe(Throwable fault) {
        return fault instanceof Exception exception ? IoText.describe(exception) : "not enough memory";
    }

    /// Reads the reports whose messages are delivered. One that cannot be read, stored or deleted stays in the queue
    /// and does not keep those behind it waiting.
    ///
    /// @param now of [System#nanoTime()]
    /// @throws IOException if the queue cannot be listed
    void readWaiting(long now) throws IOException {
        int failuresInARow = 0;
        for (List<Path> due = listDue(now); !due.isEmpty(); due = listDue(now)) {
            for (Path file : due) {
                if (closed || failuresInARow == MAX_FAILURES_IN_A_ROW) {
                    return;
                }
                try {
                    read(file);
                    pauses.remove(file);
                    failuresInARow = 0;
                } catch (IOException e) {
                    failuresInARow++;
                    pause(file, now, e);
                }
            }
        }
    }

    private List<Path> listDue(long now) throws IOException {
        List<Path> files = list(SUFFIX);
        pauses.keySet().retainAll(files);
        return files.stream()
                .filter(file ->
                        Optional.ofNullable(pauses.get(file)).stream().allMatch(pause -> now - pause.endNanos() >= 0))
                .toList();
    }

    private void pause(Path file, long now, IOException fault) {
        int failures =
                1 + Optional.ofNullable(pauses.get(file)).map(Pause::failures).orElse(0);
        if (failures == 1 && !closed) {
            LOG.warn("reports: {}: not read: {} (again later; others are read)", file, IoText.describe(fault));
        }
        pauses.put(file, new Pause(failures, now + failures * RETRY.toNanos()));
    }

    private void read(Path file) throws IOException {
        try (InputStream head = Files.newInputStream(file);
                InputStream report = Files.newInputStream(file)) {
            DkimHeader header = DkimHeader.read(head);
            byte[] field = header.fields(FIELD).getFirst().value().getBytes(StandardCharsets.ISO_8859_1);
            List<String> values = TextScan.split(new String(field, StandardCharsets.UTF_8).substring(1), c -> c == ' ');
            Reporter reporter = new Reporter(values.get(0), values.get(1));
            Instant time = findTime(header, Instant.parse(values.get(2)));
            List<ReportedMessage> messages = reader.read(header, report, reporter);
            for (ReportedMessage message : messages) {
                store.add(time, reporter, message);
            }
            count(messages.isEmpty() ? Handling.IGNORED : Handling.READ);
        } catch (RuntimeException | StackOverflowError | ReadingStopped | OutOfMemoryError e) {
            boolean isTransient =
                    e instanceof UncheckedIOException || e instanceof ReadingStopped || e instanceof OutOfMemoryError;
            if (isTransient && (closed || failures.merge(file, 1, Integer::sum) < MAX_FAILURES)) {
                throw new IOException(file + ": " + describe(e), e);
            }
            count(Handling.IGNORED);
            LOG.error("reports: {}: cannot be read (removed; its message was delivered)", file, e);
        }
        delete(file);
        failures.remove(file);
    }

    /// The Date field if it is earlier than the arrival, as an old report that is sent again is not new; within a
    /// bound, so that a wrong date does not make the report expire.
    private static Instant findTime(DkimHeader header, Instant arrival) {
        Instant earliest = arrival.minus(ReportStore.MAX_AGE.dividedBy(2));
        return header.fields("date").stream()
                .flatMap(field -> Originals.parseDate(field.value()).stream())
                .map(date -> date.isBefore(earliest) ? earliest : date)
                .filter(arrival::isAfter)
                .findFirst()
                .orElse(arrival);
    }

    public void count(Handling handling) {
        Objects.requireNonNull(totals.get(handling)).increment();
    }

    public long total(Handling handling) {
        return Objects.requireNonNull(totals.get(handling)).sum();
    }

    /// Reports that are not read yet.
    public int waiting() {
        return waiting.get();
    }

    @Override
    public void close() {
        closed = true;
        worker.ifPresent(BackgroundTask::close);
    }
}
