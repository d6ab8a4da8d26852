package org.bloomgate.decision.reports;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.JsonFile;
import org.bloomgate.base.io.LockFile;
import org.bloomgate.base.io.PrivateFile;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.base.io.Token;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The reports of the site, one file each, which is replaced by rename: after a kill a report is there once, with the
/// reporter or without. Commands change the same files as a running gateway, under one lock. Thread-safe.
public final class ReportStore {
    /// Reports that are kept; the one that changed longest ago makes room for another.
    public static final int MAX_REPORTS = 10_000;

    static final Duration MAX_AGE = Duration.ofDays(90);
    static final int MAX_VOICES = 100;
    static final int MAX_IDENTIFIERS = 60;
    static final int MAX_RECIPIENTS = 100;

    /// Characters of one text. An identifier that is longer is left out.
    static final int MAX_TEXT = 500;

    private static final int MAX_FILE_BYTES = 1 << 20;

    /// Reports that are deleted at once when there are too many, so that a flood lists the folder rarely.
    private static final int ROOM = 100;

    private static final String SUFFIX = ".json";
    private static final String LOCK = ".lock";
    private static final Duration EXPIRE_EVERY = Duration.ofHours(1);
    private static final Duration LOCK_WITHIN = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(ReportStore.class);

    private final Path directory;
    private final int maxReports;
    private volatile Runnable listener = () -> {};
    private volatile Instant nextExpiry = Instant.MIN;

    /// @param directory of the files, `reports` below the state folder
    public ReportStore(Path directory) {
        this(directory, MAX_REPORTS);
    }

    ReportStore(Path directory, int maxReports) {
        this.directory = directory;
        this.maxReports = maxReports;
    }

    /// Adds a report of a message, or its reporter to the report that there is. The same reporter is added once. It is
    /// on disk when this returns.
    ///
    /// @return the identifier of the report
    /// @throws IOException if it is not stored, so that its mail must be deferred
    public String add(Instant now, Reporter reporter, ReportedMessage message) throws IOException {
        ReportedMessage within = cut(message);
        String id = identify(within);
        Files.createDirectories(directory, PrivateFile.createFolderAttributes());
        try (LockFile _ = lock()) {
            Optional<Report> known = find(id);
            if (known.isEmpty()) {
                makeRoom(now);
            }
            write(join(known.orElseGet(() -> create(id, now, within)), now, reporter, within));
        }
        listener.run();
        return id;
    }

    /// @param next called after each report that was added, by its thread; it must not block
    public void onAdded(Runnable next) {
        listener = next;
    }

    /// Who chooses a Message-ID chooses what a report joins, so a message without a decision is also told by its
    /// subject and sender.
    private static String identify(ReportedMessage message) {
        String identity =
                message.token().orElseGet(() -> message.messageId() + '\n' + message.from() + '\n' + message.subject());
        String digest = Sha256.hex(identity.getBytes(StandardCharsets.UTF_8));
        return Token.of(HexFormat.fromHexDigitsToLong(digest, 0, Long.BYTES * 2));
    }

    private static Report create(String id, Instant now, ReportedMessage message) {
        return new Report(id, message, List.of(), new Report.Outcome(Report.State.OPEN, "", now), false);
    }

    private static Report join(Report report, Instant now, Reporter reporter, ReportedMessage reported) {
        ReportedMessage message = report.message();
        List<ReportedIdentifier> identifiers = new ArrayList<>(message.identifiers());
        Set<Integer> named = new TreeSet<>();
        for (ReportedIdentifier identifier : reported.identifiers()) {
            int position = find(identifier, identifiers);
            if (position < 0 && identifiers.size() < MAX_IDENTIFIERS) {
                position = identifiers.size();
                identifiers.add(identifier);
            }
            if (position >= 0) {
                named.add(position);
                if (identifier.objection().isPresent()) {
                    identifiers.set(position, identifier);
                }
            }
        }
        Set<String> recipients = new LinkedHashSet<>(message.recipients());
        recipients.addAll(reported.recipients());
        List<Report.Voice> voices = new ArrayList<>(report.voices());
        boolean isNew =
                voices.stream().noneMatch(voice -> voice.reporter().mailbox().equals(reporter.mailbox()));
        if (isNew && voices.size() < MAX_VOICES) {
            voices.add(new Report.Voice(now, reporter, List.copyOf(named)));
        }
        boolean opens = isNew && report.outcome().state() == Report.State.LATER;
        return new Report(
                report.id(),
                new ReportedMessage(
                        message.subject(),
                        message.from(),
                        message.messageId(),
                        message.token(),
                        message.date(),
                        recipients.stream().limit(MAX_RECIPIENTS).toList(),
                        identifiers),
                voices,
                opens ? new Report.Outcome(Report.State.OPEN, "", now) : report.outcome(),
                report.replied());
    }

    private static int find(ReportedIdentifier identifier, List<ReportedIdentifier> all) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).key().equals(identifier.key())) {
                return i;
            }
        }
        return -1;
    }

    private static ReportedMessage cut(ReportedMessage message) {
        return new ReportedMessage(
                cut(message.subject()),
                cut(message.from()),
                cut(message.messageId()),
                message.token(),
                message.date(),
                message.recipients().stream()
                        .filter(recipient -> recipient.length() <= MAX_TEXT)
                        .limit(MAX_RECIPIENTS)
                        .toList(),
                message.identifiers().stream()
                        .filter(identifier -> identifier.key().text().length() <= MAX_TEXT)
                        .limit(MAX_IDENTIFIERS)
                        .toList());
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    }

    /// The report; empty if there is none.
    public Optional<Report> find(String id) throws IOException {
        return Token.parse(id).isPresent() ? file(Token.parse(id).get()).read() : Optional.empty();
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
        for (Stored stored : newestFirst()) {
            if (reports.size() >= limit || stored.changed().toInstant().isBefore(since)) {
                break;
            }
            try {
                find(stored.id()).filter(condition).ifPresent(reports::add);
            } catch (IOException e) {
                LOG.warn("reports: left out a damaged report: {}", IoText.describe(e));
            }
        }
        return reports;
    }

    private record Stored(String id, FileTime changed) {}

    private List<Stored> newestFirst() throws IOException {
        List<Stored> all = new ArrayList<>();
        for (String id : ids()) {
            try {
                all.add(new Stored(id, Files.getLastModifiedTime(file(id).path())));
            } catch (NoSuchFileException e) {
                LOG.debug("{} is gone", e.getMessage());
            }
        }
        all.sort(Comparator.comparing(Stored::changed).reversed());
        return all;
    }

    private Set<String> ids() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.length() == Token.LENGTH + SUFFIX.length() && name.endsWith(SUFFIX))
                    .map(name -> name.substring(0, Token.LENGTH))
                    .collect(Collectors.toSet());
        } catch (NoSuchFileException _) {
            return Set.of();
        }
    }

    private void makeRoom(Instant now) throws IOException {
        if (ids().size() >= maxReports) {
            List<Stored> stored = newestFirst();
            List<Stored> oldest = stored.subList(Math.max(0, maxReports - Math.min(ROOM, maxReports)), stored.size());
            LOG.warn(
                    "reports: deleted the oldest {} of {} reports, the most that are kept",
                    oldest.size(),
                    stored.size());
            delete(oldest);
        }
        if (!now.isBefore(nextExpiry)) {
            nextExpiry = now.plus(EXPIRE_EVERY);
            FileTime end = FileTime.from(now.minus(MAX_AGE));
            delete(newestFirst().stream()
                    .filter(stored -> stored.changed().compareTo(end) < 0)
                    .toList());
        }
    }

    private void delete(List<Stored> reports) throws IOException {
        for (Stored stored : reports) {
            Files.deleteIfExists(file(stored.id()).path());
        }
    }

    private void write(Report report) throws IOException {
        JsonFile<Report> file = file(report.id());
        file.write(report);
        Instant decided = report.outcome().time();
        Instant changed = report.lastReported().isAfter(decided) ? report.lastReported() : decided;
        Files.setLastModifiedTime(file.path(), FileTime.from(changed));
    }

    private LockFile lock() throws IOException {
        return LockFile.hold(directory, LOCK, LOCK_WITHIN);
    }

    private JsonFile<Report> file(String id) {
        return new JsonFile<>(directory.resolve(id + SUFFIX), MAX_FILE_BYTES, Report.class);
    }
}
