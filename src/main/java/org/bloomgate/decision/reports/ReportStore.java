package org.bloomgate.decision.reports;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.JsonFile;
import org.bloomgate.base.io.LockFile;
import org.bloomgate.base.io.PrivateFile;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.base.io.StateFile;
import org.bloomgate.base.io.Token;
import org.bloomgate.core.key.Key;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The reports of the site, one file each, which is replaced by rename: after a kill a report exists once, with or
/// without its last reporter. Commands change the same files as a running gateway, under one lock. Thread-safe.
public final class ReportStore {
    /// The maximum number of stored reports. At the maximum, those that changed longest ago are deleted for new ones.
    public static final int MAX_REPORTS = 10_000;

    static final Duration MAX_AGE = Duration.ofDays(90);
    static final int MAX_VOICES = 100;

    private static final int MAX_FILE_BYTES = 1 << 20;

    /// Reports that are deleted at once when there are too many.
    private static final int ROOM = 100;

    /// The longest that an old report outlives its age while others are added.
    static final Duration SCAN_INTERVAL = Duration.ofHours(1);

    private static final String SUFFIX = ".json";
    private static final Duration LOCK_WITHIN = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(ReportStore.class);

    private final Path directory;
    private final int maxReports;

    /// Reports that fit before the folder, which may have thousands of files, is listed again. Guarded by this object's
    /// monitor, as is the next field.
    private int room;

    private Instant nextScan = Instant.MIN;
    private volatile Runnable listener = () -> {};

    /// @param directory of the files, `reports` below the state folder
    public ReportStore(Path directory) {
        this(directory, MAX_REPORTS);
    }

    ReportStore(Path directory, int maxReports) {
        this.directory = directory;
        this.maxReports = maxReports;
    }

    /// Adds a report of a message, or adds the reporter to its existing report, at most once. The report is on disk
    /// when this returns.
    ///
    /// @return the identifier of the report
    /// @throws IOException if it is not stored; its message was delivered, and the queue adds it again later
    public String add(Instant now, Reporter reporter, ReportedMessage message) throws IOException {
        String id = identify(message);
        Files.createDirectories(directory, PrivateFile.createFolderAttributes());
        try (LockFile _ = lock()) {
            Optional<Report> known = findOrSetAside(id);
            if (known.isEmpty()) {
                makeRoom(now);
            }
            Report.Outcome open = new Report.Outcome(Report.State.OPEN, "", now);
            Report report = known.orElseGet(() -> new Report(id, message, List.of(), open));
            write(join(report, now, reporter, message));
        }
        listener.run();
        return id;
    }

    /// @param listener called after each report that was added, by the thread that added it; must not block
    public void onAdded(Runnable listener) {
        this.listener = listener;
    }

    /// The identifier of the report of a message. A sender chooses the Message-ID, so a message without a decision is
    /// also identified by its subject and sender.
    private static String identify(ReportedMessage message) {
        String identity =
                message.token().orElseGet(() -> message.messageId() + '\n' + message.from() + '\n' + message.subject());
        String digest = Sha256.hex(identity.getBytes(StandardCharsets.UTF_8));
        return Token.of(HexFormat.fromHexDigitsToLong(digest, 0, Long.BYTES * 2));
    }

    private static Report join(Report report, Instant now, Reporter reporter, ReportedMessage reported) {
        ReportedMessage first = report.message();
        Map<Key, ReportedIdentifier> identifiers = new LinkedHashMap<>();
        Stream.concat(first.identifiers().stream(), reported.identifiers().stream())
                .forEach(one -> identifiers.merge(one.key(), one, ReportedIdentifier::join));
        ReportedMessage message = new ReportedMessage(
                first.subject(),
                first.from(),
                first.messageId(),
                first.token(),
                first.date(),
                Stream.concat(first.recipients().stream(), reported.recipients().stream())
                        .distinct()
                        .toList(),
                List.copyOf(identifiers.values()));
        List<Key> keys =
                message.identifiers().stream().map(ReportedIdentifier::key).toList();
        List<Integer> positions = reported.identifiers().stream()
                .filter(ReportedIdentifier::isContent)
                .map(identifier -> keys.indexOf(identifier.key()))
                .filter(position -> position >= 0)
                .toList();
        List<Report.Voice> voices = new ArrayList<>(report.voices());
        boolean isNew =
                voices.stream().noneMatch(voice -> voice.reporter().mailbox().equals(reporter.mailbox()));
        if (isNew && voices.size() < MAX_VOICES) {
            voices.add(new Report.Voice(now, reporter, positions));
        }
        boolean isReopened = isNew && report.outcome().state() == Report.State.LATER;
        return new Report(
                report.id(),
                message,
                voices,
                isReopened ? new Report.Outcome(Report.State.OPEN, "", now) : report.outcome());
    }

    /// The report; empty if there is none.
    public Optional<Report> find(String id) throws IOException {
        Optional<String> token = Token.parse(id);
        return token.isPresent() ? file(token.get()).read() : Optional.empty();
    }

    /// The report; empty, and its file renamed, if it is damaged.
    private Optional<Report> findOrSetAside(String id) throws IOException {
        try {
            return find(id);
        } catch (JsonProcessingException | StateFile.RefusedException e) {
            Path file = file(id).path();
            Files.move(file, Path.of(file + ".damaged"), StandardCopyOption.REPLACE_EXISTING);
            LOG.error("reports: {}.damaged: set aside: {} (the report begins again)", file, IoText.of(e));
            return Optional.empty();
        }
    }

    /// Changes a report, which is on disk when this returns.
    ///
    /// @return the changed report; empty if there is none
    public Optional<Report> change(String id, UnaryOperator<Report> change) throws IOException {
        try (LockFile _ = lock()) {
            Optional<Report> changed = find(id).map(change);
            if (changed.isPresent()) {
                write(changed.get());
            }
            return changed;
        }
    }

    /// The reports that meet a condition, the last changed first. A damaged one is logged and left out.
    ///
    /// @param since changed then or later
    public List<Report> list(Instant since, Predicate<Report> condition, int limit) throws IOException {
        List<Report> reports = new ArrayList<>();
        for (ReportFile file : listNewestFirst()) {
            if (reports.size() >= limit || file.changed().isBefore(since)) {
                break;
            }
            try {
                find(file.id()).filter(condition).ifPresent(reports::add);
            } catch (IOException e) {
                LOG.warn("reports: {}: left out of a list: {}", file.id(), IoText.describe(e));
            }
        }
        return reports;
    }

    private record ReportFile(String id, Instant changed) {}

    private List<ReportFile> listNewestFirst() throws IOException {
        List<ReportFile> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = file.getFileName().toString();
                if (name.length() == Token.LENGTH + SUFFIX.length() && name.endsWith(SUFFIX)) {
                    // 0 if the file was deleted just now.
                    Instant changed = Instant.ofEpochMilli(file.toFile().lastModified());
                    all.add(new ReportFile(name.substring(0, Token.LENGTH), changed));
                }
            }
        } catch (NoSuchFileException _) {
            return List.of();
        }
        all.sort(Comparator.comparing(ReportFile::changed).reversed());
        return all;
    }

    /// Deletes old reports, and the oldest if there are too many, before one is added.
    private synchronized void makeRoom(Instant now) throws IOException {
        if (room == 0 || !now.isBefore(nextScan)) {
            room = scan(now);
            nextScan = now.plus(SCAN_INTERVAL);
        }
        room--;
    }

    /// @return the number of reports that can be added before the next scan, at least one
    private int scan(Instant now) throws IOException {
        List<ReportFile> stored = listNewestFirst();
        boolean isFull = stored.size() >= maxReports;
        if (isFull) {
            LOG.warn("reports: deleted the oldest of {} reports: the store is full", stored.size());
        }
        int remaining = isFull ? Math.max(0, maxReports - ROOM) : stored.size();
        for (int i = 0; i < stored.size(); i++) {
            if (i >= remaining || stored.get(i).changed().isBefore(now.minus(MAX_AGE))) {
                Files.deleteIfExists(file(stored.get(i).id()).path());
            }
        }
        return Math.min(ROOM, maxReports - remaining);
    }

    private void write(Report report) throws IOException {
        JsonFile<Report> file = file(report.id());
        file.write(report);
        Instant decided = report.outcome().time();
        Instant changed = report.lastReported().isAfter(decided) ? report.lastReported() : decided;
        Files.setLastModifiedTime(file.path(), FileTime.from(changed));
    }

    private LockFile lock() throws IOException {
        return LockFile.hold(directory, ".lock", LOCK_WITHIN);
    }

    private JsonFile<Report> file(String id) {
        return new JsonFile<>(directory.resolve(id + SUFFIX), MAX_FILE_BYTES, Report.class);
    }
}
