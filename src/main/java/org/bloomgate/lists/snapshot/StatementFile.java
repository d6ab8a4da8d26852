package org.bloomgate.lists.snapshot;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.LockFile;

/// The file with a publisher's last statement of one kind, and the rules for the next one. After a kill at any
/// instant, or a full disk, it contains the previous statement.
///
/// Two processes, a command and a service, may publish at the same time; a lock keeps their counters apart.
///
/// @param root of all layers
/// @param key to sign with; none for a statement without signature
/// @param lifetime of a statement; the next one follows after at most a quarter of it
record StatementFile<T extends StatementForm.Content>(
        Path root, StatementForm<T> form, Optional<SigningKey> key, Duration lifetime, InstantSource clock) {
    private static final long MAX_COUNTER = 999_999_999_999_999_999L;

    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(10);

    /// What the next statement states.
    record Draft<T>(T content, String body) {}

    /// Collects what there is to state.
    @FunctionalInterface
    interface Source<T extends StatementForm.Content> {
        /// @param last without its body; empty before the first statement
        /// @param counter of the next statement
        /// @return empty if there is nothing to publish
        Optional<Draft<T>> collect(Optional<Statement<T>> last, long counter) throws IOException;
    }

    /// Makes the next statement if its content differs from that of the last one, a quarter of the lifetime of
    /// the last one has passed, or the last one is signed by another key.
    ///
    /// @param source called without the lock, and again under it
    /// @return whether a statement was made
    /// @throws IOException if the disk fails, or if the present statement cannot be read (a counter that starts
    ///     again would make every mirror refuse it) or is signed and there is no key
    boolean publish(Source<T> source) throws IOException {
        if (createNext(source).isEmpty()) {
            return false;
        }
        try (LockFile _ = LockFile.hold(root, "." + form.fileName() + ".lock", LOCK_TIMEOUT)) {
            Optional<byte[]> bytes = createNext(source);
            if (bytes.isPresent()) {
                DurableFiles.replace(root.resolve(form.fileName()), bytes.get());
            }
            return bytes.isPresent();
        }
    }

    private Optional<byte[]> createNext(Source<T> source) throws IOException {
        Optional<Statement<T>> last = form.readHead(root);
        Instant now = clock.instant();
        long counter = last.map(statement -> statement.counter() + 1).orElse(Math.max(1, now.getEpochSecond()));
        Optional<Draft<T>> draft = source.collect(last, counter);
        if (draft.isEmpty()
                || last.filter(statement -> isCurrent(statement, draft.get(), now))
                        .isPresent()) {
            return Optional.empty();
        }
        requireKey(last);
        if (counter > MAX_COUNTER) {
            throw new IOException(form.fileName() + ": the counter is at its end");
        }
        Instant expires = Instant.ofEpochSecond(now.plus(lifetime).getEpochSecond());
        byte[] bytes = form.sign(
                        counter, expires, draft.get().content(), draft.get().body(), key)
                .encode();
        if (bytes.length > form.maxBytes()) {
            throw new IOException(form.fileName() + ": " + bytes.length + " bytes, and mirrors accept "
                    + form.maxBytes() + ": publish entries as a feed instead");
        }
        return Optional.of(bytes);
    }

    private boolean isCurrent(Statement<T> last, Draft<T> draft, Instant now) {
        return last.content().equals(draft.content())
                && !isOld(last.expires(), now)
                && (key.isEmpty() || last.isSignedBy(key.get()));
    }

    /// True if a quarter of its lifetime has passed, or it is valid for longer than a new one would be.
    private boolean isOld(Instant expires, Instant now) {
        Duration remaining = Duration.between(now, expires);
        return remaining.compareTo(lifetime.multipliedBy(3).dividedBy(4)) < 0
                || remaining.compareTo(lifetime.plusSeconds(1)) > 0;
    }

    /// An unsigned statement must not replace a signed one.
    private void requireKey(Optional<Statement<T>> last) throws IOException {
        if (last.flatMap(Statement::signature).isPresent() && key.isEmpty()) {
            throw new IOException(root.resolve(form.fileName()) + ": is signed, and there is no key to sign another"
                    + " one with (rebuild.signingKey, publisher.currentKey); delete it to go on unsigned");
        }
    }
}
