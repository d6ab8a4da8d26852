package org.bloomgate.server.quarantine;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.FullDisk;
import org.bloomgate.base.io.LockFile;
import org.bloomgate.base.io.PrivateFile;
import org.bloomgate.base.io.StateFile;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.server.nexthop.Maildir;
import org.bloomgate.server.nexthop.MessageBytes;

/// Messages that were accepted but not delivered: a Maildir whose file names are tokens, with the envelope of
/// each message as JSON in `envelopes/`. A mail reader may move a file from `new/` to `cur/` and add flags
/// after a colon.
///
/// The envelope is written before the message and deleted after it, each step synced, so that a crash at any
/// moment leaves a message with its envelope, or none; an envelope without a message is ignored. Files are
/// readable only by their owner. Thread-safe, also between processes.
public final class Quarantine {
    private static final List<String> MESSAGES = List.of("new", "cur");
    private static final String LOCK = "release.lock";
    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(20);

    /// The valid file names in a request.
    private static final Pattern NAME = Pattern.compile("[0-9A-Za-z][0-9A-Za-z._-]{0,99}");

    /// Far above the envelope of a message with the most recipients.
    private static final int MAX_ENVELOPE_BYTES = 16 << 20;

    private static final String ENVELOPES = "envelopes";
    private static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .withConfigOverride(
                    String.class, text -> text.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
            .build();

    private final Path root;

    public Quarantine(Path root) {
        this.root = root;
    }

    /// Stores a message. Both files are on disk when this returns.
    ///
    /// @param addedFields header fields to add before the message
    /// @throws IOException if they are not; then both are removed if possible
    public void store(QuarantineEnvelope envelope, byte[] addedFields, MessageBytes message) throws IOException {
        try {
            write(envelope);
            Maildir.create(root).store("new", envelope.token(), addedFields, message);
        } catch (IOException e) {
            Files.deleteIfExists(root.resolve("new", envelope.token()));
            Files.deleteIfExists(envelope(envelope.token()));
            throw e;
        }
    }

    /// The size of an envelope on disk.
    static long envelopeBytes(QuarantineEnvelope envelope) {
        try {
            return JSON.writeValueAsBytes(envelope).length;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an envelope has only texts, numbers and times", e);
        }
    }

    /// True if a message could not be stored because the disk is full.
    boolean isFull(IOException e, long neededBytes) {
        return FullDisk.isCauseOf(e, root, neededBytes);
    }

    /// The size of the quarantine at one moment.
    ///
    /// @param oldest arrival of the oldest message; empty if there is none
    public record Totals(long messages, long sizeBytes, Optional<Instant> oldest) {}

    /// The size of the quarantine. Reads only the folders and opens no message or envelope.
    public Totals totals() throws IOException {
        long messages = 0;
        long sizeBytes = 0;
        Optional<Instant> oldest = Optional.empty();
        for (String part : MESSAGES) {
            if (!Files.isDirectory(root.resolve(part))) {
                continue;
            }
            try (DirectoryStream<Path> files = Files.newDirectoryStream(root.resolve(part))) {
                for (Path file : files) {
                    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
                    Instant arrival = attributes.lastModifiedTime().toInstant();
                    messages++;
                    sizeBytes += attributes.size();
                    oldest = oldest.filter(arrival::isAfter).or(() -> Optional.of(arrival));
                }
            }
        }
        return new Totals(messages, sizeBytes, oldest);
    }

    /// Writes or replaces an envelope.
    void write(QuarantineEnvelope envelope) throws IOException {
        byte[] json = JSON.writeValueAsBytes(envelope);
        Maildir.create(root, ENVELOPES).store(ENVELOPES, envelope.token() + ".json", json, NOTHING);
    }

    private static final MessageBytes NOTHING = new MessageBytes() {
        @Override
        public long sizeBytes() {
            return 0;
        }

        @Override
        public InputStream open() {
            return new ByteArrayInputStream(new byte[0]);
        }
    };

    private Path envelope(String token) {
        return root.resolve(ENVELOPES, token + ".json");
    }

    /// All messages, the oldest first.
    public List<QuarantinedMessage> list() throws IOException {
        List<QuarantinedMessage> found = new ArrayList<>();
        for (String folder : MESSAGES) {
            for (Path file : files(root.resolve(folder))) {
                describe(file).ifPresent(found::add);
            }
        }
        found.sort(Comparator.comparing(QuarantinedMessage::time).thenComparing(QuarantinedMessage::token));
        return found;
    }

    /// The message with a token, or with another file name; empty if there is none.
    public Optional<QuarantinedMessage> find(String token) throws IOException {
        if (!NAME.matcher(token).matches()) {
            return Optional.empty();
        }
        for (String folder : MESSAGES) {
            if (Files.exists(root.resolve(folder, token))) {
                return describe(root.resolve(folder, token));
            }
        }
        Optional<Path> file = Optional.ofNullable(messages().get(token));
        return file.isPresent() ? describe(file.get()) : Optional.empty();
    }

    /// The files of all messages by token.
    Map<String, Path> messages() throws IOException {
        Map<String, Path> messages = new HashMap<>();
        for (String folder : MESSAGES) {
            files(root.resolve(folder)).forEach(file -> messages.put(token(file), file));
        }
        return messages;
    }

    private static String token(Path file) {
        return TextScan.split(file.getFileName().toString(), c -> c == ':', 2).getFirst();
    }

    /// The times at which messages were last added or removed; the epoch before the first one.
    List<FileTime> folderTimes() throws IOException {
        List<FileTime> times = new ArrayList<>();
        for (String folder : MESSAGES) {
            times.add(time(root.resolve(folder)));
        }
        return times;
    }

    /// The time at which the envelope of a message was last written; the epoch if it is lost.
    FileTime envelopeTime(String token) throws IOException {
        return time(envelope(token));
    }

    private static FileTime time(Path file) throws IOException {
        try {
            return Files.getLastModifiedTime(file);
        } catch (NoSuchFileException e) {
            return FileTime.fromMillis(0);
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !file.getFileName().toString().startsWith("."))
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    Optional<QuarantinedMessage> describe(Path file) throws IOException {
        String token = token(file);
        try {
            Optional<QuarantineEnvelope> envelope = read(token);
            Instant arrived = Files.getLastModifiedTime(file).toInstant();
            return Optional.of(new QuarantinedMessage(
                    token, envelope.map(QuarantineEnvelope::time).orElse(arrived), Files.size(file), envelope, file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private Optional<QuarantineEnvelope> read(String token) {
        try {
            return Optional.ofNullable(JSON.readValue(
                            StateFile.bytes(envelope(token), MAX_ENVELOPE_BYTES), QuarantineEnvelope.class))
                    .filter(found -> found.token().equals(token));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /// Deletes a message and its envelope.
    public void remove(QuarantinedMessage message) throws IOException {
        Files.deleteIfExists(message.file());
        for (String folder : MESSAGES) {
            DurableFiles.force(root.resolve(folder));
        }
        Files.deleteIfExists(envelope(message.token()));
    }

    /// Locks out other releases and deletions, also of other processes, until the lock is closed. Waits as long
    /// as a next hop usually takes to answer.
    ///
    /// @throws IOException if another release takes longer
    public LockFile lock() throws IOException {
        return lock(LOCK_TIMEOUT);
    }

    LockFile lock(Duration within) throws IOException {
        Maildir _ = Maildir.create(root);
        PrivateFile.create(root.resolve(LOCK));
        return LockFile.hold(root, LOCK, within);
    }

    /// Removes the leftovers of a crash: unfinished files, and envelopes without a message.
    ///
    /// @param before later files are left, as they may belong to a message that is being stored
    public void removeLeftovers(Instant before) throws IOException {
        List<Path> leftovers = new ArrayList<>(files(root.resolve("tmp")));
        List<String> tokens = list().stream().map(QuarantinedMessage::token).toList();
        for (Path envelope : files(root.resolve(ENVELOPES))) {
            String file = envelope.getFileName().toString();
            String token = file.endsWith(".json") ? file.substring(0, file.length() - ".json".length()) : file;
            if (!tokens.contains(token)) {
                leftovers.add(envelope);
            }
        }
        for (Path leftover : leftovers) {
            if (Files.exists(leftover)
                    && Files.getLastModifiedTime(leftover).toInstant().isBefore(before)) {
                Files.deleteIfExists(leftover);
            }
        }
    }
}
