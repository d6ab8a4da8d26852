package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.bloomgate.base.io.Sha256;

/// Publishes the listings and exceptions of operators, as [PublishedStateWriter] publishes the current generations:
/// after a change, and again before the statement expires. Thread-safe, and safe between processes.
public final class SharedEntriesWriter {
    private final StatementFile<SharedEntries> file;
    private final Optional<SigningKey> manifestKey;

    /// @param root of all layers
    /// @param key to sign with; none for a statement without signature
    /// @param manifestKey for manifests; if it is not on this machine, an earlier voucher stays with its
    ///     entries
    /// @param lifetime of a statement; the next one follows after at most a quarter of it
    public SharedEntriesWriter(
            Path root,
            Optional<SigningKey> key,
            Optional<SigningKey> manifestKey,
            Duration lifetime,
            InstantSource clock) {
        this.file = new StatementFile<>(root, SharedEntries.FORM, key, lifetime, clock);
        this.manifestKey = manifestKey;
    }

    /// The entries to publish.
    ///
    /// @param sha256 of the text in UTF-8
    public record Entries(String text, String sha256) {
        public static Entries of(String text) {
            return new Entries(text, Sha256.hex(text.getBytes(UTF_8)));
        }
    }

    /// Makes the next statement if one is due; the first one when there are entries.
    ///
    /// @return whether a statement was made
    /// @throws IOException as of [StatementFile#publish], or if there are too many entries
    public synchronized boolean publish(Supplier<Entries> entries) throws IOException {
        return file.publish((last, counter) -> collect(entries.get(), last, counter));
    }

    private Optional<StatementFile.Draft<SharedEntries>> collect(
            Entries entries, Optional<Statement<SharedEntries>> last, long counter) {
        if (last.isEmpty() && entries.text().isEmpty()) {
            return Optional.empty();
        }
        SharedEntries content = last.map(Statement::content)
                .filter(lastContent -> lastContent.sha256().equals(entries.sha256()))
                .orElse(new SharedEntries(counter, entries.sha256(), Optional.empty()));
        return Optional.of(
                new StatementFile.Draft<>(manifestKey.map(content::withVoucher).orElse(content), entries.text()));
    }
}
