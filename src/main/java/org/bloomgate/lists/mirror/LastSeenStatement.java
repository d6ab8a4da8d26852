package org.bloomgate.lists.mirror;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotRefusedException;
import org.bloomgate.lists.snapshot.Statement;
import org.bloomgate.lists.snapshot.StatementForm;

/// The statement of one kind with the highest counter that this mirror has seen, and the rules for the next.
/// It is stored before anything it names is fetched or applies: after a kill in between, no older statement is
/// accepted. Used by one thread at a time.
///
/// @param snapshots root of the layers of this machine
/// @param reader decides which statements are trusted
record LastSeenStatement<T extends StatementForm.Content>(
        Path snapshots, SnapshotReader reader, StatementForm<T> form) {

    /// Called with a trusted statement before it is stored; an exception rejects it.
    @FunctionalInterface
    interface Receiver<T extends StatementForm.Content, R> {
        R receive(Statement<T> statement) throws IOException;
    }

    /// The statement seen last.
    ///
    /// @throws PublisherException if the file is unreadable: an operator has to check it, as an older statement
    ///     would be accepted without it
    Optional<Statement<T>> readLast() throws IOException {
        try {
            return form.read(snapshots);
        } catch (SnapshotRefusedException _) {
            throw createUnreadableException(form.fileName());
        }
    }

    PublisherException createUnreadableException(String fileName) {
        return new PublisherException(
                snapshots.resolve(fileName) + ": cannot be read; delete it to accept any counter of the publisher");
    }

    /// Requests the statement of the publisher, and stores it if it is new.
    ///
    /// @param tagInUse tag of the statement that this process uses
    /// @return the result of the receiver; empty if the publisher still has the statement in use, or has never
    ///     made one
    /// @throws SnapshotRefusedException if the statement cannot be trusted
    /// @throws PublisherException if it is older than the last one or has expired, or has disappeared
    <R> Optional<R> fetch(Publisher publisher, Optional<String> tagInUse, Receiver<T, R> receiver, Instant now)
            throws IOException, InterruptedException {
        Optional<String> tag = readTag(now).filter(stored -> tagInUse.equals(Optional.of(stored)));
        HttpRequest.Builder request = publisher.createRequest(form.fileName());
        tag.ifPresent(value -> request.header("If-None-Match", publisher.formatTags(form.fileName(), value)));
        HttpResponse<byte[]> response = publisher.fetchSmall(request.build(), form.maxBytes());
        int status = response.statusCode();
        if (status == 200) {
            Statement<T> statement = form.parse(response.body());
            reader.requireTrusted(statement, form.fileName(), now);
            publisher.rememberTag(form.fileName(), statement.tag(), response);
            return Optional.of(accept(statement, response.body(), receiver, now));
        }
        if (status == 304 && tag.isEmpty()) {
            throw new PublisherException(form.fileName() + ": status 304 to a request without If-None-Match");
        }
        if (status == 404 && (tagInUse.isPresent() || readLast().isPresent())) {
            throw new PublisherException(form.fileName() + ": status 404, but the publisher had a statement before");
        }
        if (status != 304 && status != 404) {
            throw new PublisherException(form.fileName() + ": status " + status);
        }
        return Optional.empty();
    }

    /// The tag of the stored statement; empty if there is none, or it would not be trusted now.
    private Optional<String> readTag(Instant now) throws IOException {
        try {
            Optional<Statement<T>> stored = form.readHead(snapshots);
            if (stored.isPresent()) {
                reader.requireTrusted(stored.get(), form.fileName(), now);
            }
            return stored.map(Statement::tag);
        } catch (SnapshotRefusedException _) {
            return Optional.empty();
        }
    }

    private <R> R accept(Statement<T> statement, byte[] bytes, Receiver<T, R> receiver, Instant now)
            throws IOException {
        Optional<byte[]> storedBytes = form.readBytes(snapshots);
        if (storedBytes.isPresent() && Arrays.equals(storedBytes.get(), bytes)) {
            return receiver.receive(statement);
        }
        Optional<Statement<T>> last = readLast();
        if (last.isPresent()) {
            requireNewer(statement.counter(), last.get().counter());
        }
        requireFresh(statement.counter(), statement.expires(), now);
        R result = receiver.receive(statement);
        Files.createDirectories(snapshots);
        DurableFiles.replace(snapshots.resolve(form.fileName()), bytes);
        return result;
    }

    static void requireFresh(long counter, Instant expires, Instant now) throws PublisherException {
        if (now.isAfter(expires)) {
            throw new PublisherException("frozen: counter " + counter + " has expired at " + expires
                    + ", and the publisher has made no newer statement");
        }
    }

    static void requireNewer(long counter, long lastSeen) throws PublisherException {
        if (counter < lastSeen) {
            throw new PublisherException(
                    "rolled back: the publisher is at counter " + counter + ", and was at " + lastSeen + " before");
        }
        if (counter == lastSeen) {
            throw new PublisherException("two statements: the publisher made another one with counter " + counter);
        }
    }
}
