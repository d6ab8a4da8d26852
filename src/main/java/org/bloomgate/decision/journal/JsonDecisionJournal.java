package org.bloomgate.decision.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.IoText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stores decisions as JSON lines in one file a day, written by one background thread.
///
/// Recording only queues, as mail must not wait for a disk. From three quarters of its length on, the queue
/// drops decisions that no one can query (clean mail that was passed, and sessions without a message, whose
/// token the client never received); when it is full, it drops all. Every dropped decision is counted. The
/// writer takes the whole queue at a time and passes it to the operating system in one write, so a decision
/// survives the end of the process, but not a power failure: nothing is synced.
///
/// Thread-safe.
public final class JsonDecisionJournal implements DecisionJournal {
    /// About 8 MB of decisions; 40 MB when a hostile client filled every one of them to its bounds.
    static final int QUEUE = 4_096;

    private static final int QUEUE_FOR_CLEAN = QUEUE / 4 * 3;
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(JsonDecisionJournal.class);

    private final Path directory;
    private final boolean subjects;
    private final DayFileWriter files;
    private final BackgroundTask writer;
    private final LongAdder dropped = new LongAdder();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private Deque<Decision> queued = new ArrayDeque<>();
    private Deque<Decision> writing = new ArrayDeque<>();
    private final MessageCounts counts;
    private final Consumer<Decision> log;
    private boolean closed;

    /// Used by the writer only.
    private boolean failing;

    /// Starts the writer. The directory is made when the first decision is written.
    ///
    /// @param clock decides what is too old to keep
    public JsonDecisionJournal(JournalOptions options, InstantSource clock) {
        this(options, clock, new MessageCounts());
    }

    /// @param counts of the recorded messages
    public JsonDecisionJournal(JournalOptions options, InstantSource clock, MessageCounts counts) {
        this(options, clock, counts, MailLog::write);
    }

    private JsonDecisionJournal(
            JournalOptions options, InstantSource clock, MessageCounts counts, Consumer<Decision> log) {
        this.counts = counts;
        this.log = log;
        this.directory = options.directory();
        this.subjects = options.subjects();
        this.files = new DayFileWriter(options, clock);
        this.writer = BackgroundTask.keepRunning("journal", this::writeUntilClosed);
    }

    /// Truncates the newest file after its last whole line, as a killed process may have left a part of one. Only for
    /// the process that records here, before it records: a line of another process may still be being written.
    public void mend() {
        try {
            files.mend();
        } catch (IOException fault) {
            LOG.warn("the decision journal: {}", IoText.describe(fault));
        }
    }

    @Override
    public void record(Decision decision) {
        Decision bounded = DecisionLine.bounded(decision, subjects);
        lock.lock();
        try {
            if (closed || queued.size() >= room(decision)) {
                dropped.increment();
                return;
            }
            queued.add(bounded);
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    private static int room(Decision decision) {
        return decision.unremarkable() ? QUEUE_FOR_CLEAN : QUEUE;
    }

    /// Decisions that were not recorded since the start, because the queue was full or a write failed.
    public long dropped() {
        return dropped.sum();
    }

    /// Decisions that were deleted before their time to stay within the bound, since the start.
    public long evicted() {
        return files.evicted();
    }

    /// The decision of this token, from what waits to be written and then from the newest file to the oldest.
    @Override
    public Optional<Decision> find(String token) {
        Optional<Decision> waiting = waiting().stream()
                .filter(decision -> decision.token().equals(token))
                .findFirst();
        return waiting.isPresent()
                ? waiting
                : latest(
                                1,
                                line -> line.contains(token),
                                decision -> decision.token().equals(token))
                        .stream()
                        .findFirst();
    }

    /// The decisions of many tokens by token, from the files alone: one walk over them, where [#find(String)]
    /// takes one for each.
    public Map<String, Decision> find(Set<String> tokens) {
        Map<String, Decision> byToken = new HashMap<>();
        latest(
                        tokens.size(),
                        line -> tokens.contains(DecisionLine.token(line)),
                        decision -> tokens.contains(decision.token()))
                .forEach(decision -> byToken.putIfAbsent(decision.token(), decision));
        return byToken;
    }

    /// The newest decisions that match, from the files alone. Unreadable lines are left out.
    ///
    /// @param mayMatch spares the parsing of lines whose decision cannot match
    private List<Decision> latest(int count, Predicate<String> mayMatch, Predicate<Decision> matches) {
        List<Decision> latest = new ArrayList<>();
        try {
            JournalWalk.newestFirst(directory, JournalWalk.Span.since(Instant.EPOCH), line -> {
                if (mayMatch.test(line)) {
                    DecisionLine.read(line).filter(matches).ifPresent(latest::add);
                }
                return latest.size() < count;
            });
        } catch (IOException e) {
            LOG.warn("{}: {}", directory, IoText.describe(e));
        }
        return latest;
    }

    @Override
    public SearchResult find(DecisionQuery query, Optional<JournalPosition> from, Duration within) throws IOException {
        return DecisionSearch.find(query, waiting(), from, directory, within);
    }

    /// Reads only the files: the latest decisions may be missing.
    @Override
    public ShadowScan.Totals shadowed(Instant since, Duration within, ShadowScan.Reader reader) throws IOException {
        return ShadowScan.since(since, directory, within, reader);
    }

    @Override
    public DayTotals dayUntil(Instant now) {
        return counts.day(now);
    }

    @Override
    public HourTotals hoursUntil(Instant now) {
        return counts.hours(now);
    }

    /// Decisions that are not in a file yet, oldest first.
    private List<Decision> waiting() {
        lock.lock();
        try {
            List<Decision> waiting = new ArrayList<>(writing);
            waiting.addAll(queued);
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    /// Stops recording and writes the queued decisions, for at most ten seconds.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            arrived.signal();
        } finally {
            lock.unlock();
        }
        writer.finish(CLOSE_WITHIN);
    }

    private void writeUntilClosed() {
        for (List<Decision> batch = next(); !batch.isEmpty(); batch = next()) {
            write(batch);
        }
        try {
            files.close();
        } catch (IOException fault) {
            LOG.warn("the decision journal: {}", IoText.describe(fault));
        }
    }

    /// Everything queued, as soon as there is something; empty when closed and drained.
    private List<Decision> next() {
        lock.lock();
        try {
            writing = new ArrayDeque<>();
            while (queued.isEmpty() && !closed) {
                arrived.awaitUninterruptibly();
            }
            writing = queued;
            queued = new ArrayDeque<>();
            return List.copyOf(writing);
        } finally {
            lock.unlock();
        }
    }

    /// A disk error is logged once, and once more when writing succeeds again. After a failed batch, the writer
    /// continues with the next one.
    private void write(List<Decision> batch) {
        try {
            files.append(batch);
            if (failing) {
                LOG.info("decision journal writable again; {} decisions were lost", dropped());
            }
            failing = false;
        } catch (IOException | RuntimeException fault) {
            dropped.add(batch.size());
            if (!failing) {
                LOG.warn("decision journal not writable: {}", IoText.describe(fault));
            }
            failing = true;
        }
        batch.forEach(counts::add);
        batch.forEach(log);
    }
}
