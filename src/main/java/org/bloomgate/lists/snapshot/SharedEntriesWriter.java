package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import org.bloomgate.base.io.Sha256;

/// Publishes the listings and exceptions of operators, as [StatementWriter] publishes the current generations:
/// after a change, and again before the statement expires. Thread-safe, and safe between processes.
public final class SharedEntriesWriter {
    private final Path root;
    private final StatementFile file;
    private final Optional<SigningKey> key;
    private final Optional<SigningKey> manifestKey;
    private final Duration lifetime;
    private final InstantSource clock;

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
        this.root = root;
        this.file = new StatementFile(root, SharedEntries.FILE_NAME);
        this.key = key;
        this.manifestKey = manifestKey;
        this.lifetime = lifetime;
        this.clock = clock;
    }

    /// The entries to publish.
    ///
    /// @param sha256 of the text in UTF-8
    public record Entries(String text, String sha256) {
        public static Entries of(String text) {
            return new Entries(text, Sha256.hex(text.getBytes(UTF_8)));
        }

        boolean isEmpty() {
            return text.isEmpty();
        }
    }

    /// Writes the next statement if there is something to publish. While there have never been entries, none is
    /// written.
    ///
    /// @return whether a statement was made
    /// @throws IOException if the disk fails; if the present statement cannot be read (a counter that starts
    ///     again would make every mirror refuse it) or is signed and there is no key; or if there are too many
    ///     entries
    public synchronized boolean publish(Supplier<Entries> entries) throws IOException {
        return file.publish(() -> createNext(entries.get()));
    }

    private Optional<byte[]> createNext(Entries entries) throws IOException {
        Optional<SharedEntries.Statement> last = SharedEntries.readStatement(root);
        if (!isDue(last, entries)) {
            return Optional.empty();
        }
        file.requireKey(last.map(SharedEntries.Statement::signedText), key);
        Instant now = clock.instant();
        long counter =
                file.incrementCounter(last.map(statement -> statement.head().counter()), now);
        Optional<SharedEntries.Head> unchangedHead = last.map(SharedEntries.Statement::head)
                .filter(head -> head.sha256().equals(entries.sha256()));
        SharedEntries.Head next = addVoucher(new SharedEntries.Head(
                counter,
                Instant.ofEpochSecond(now.plus(lifetime).getEpochSecond()),
                unchangedHead.map(SharedEntries.Head::revision).orElse(counter),
                entries.sha256(),
                unchangedHead.flatMap(SharedEntries.Head::voucher)));
        return Optional.of(encode(SignedText.sign(key, next.formatText()), entries));
    }

    private boolean isDue(Optional<SharedEntries.Statement> last, Entries entries) {
        if (last.isEmpty()) {
            return !entries.isEmpty();
        }
        SharedEntries.Head head = last.get().head();
        return !head.sha256().equals(entries.sha256())
                || StatementFile.isOld(head.expires(), lifetime, clock.instant())
                || key.filter(signingKey -> !last.get().signedText().isSignedBy(signingKey))
                        .isPresent()
                || !Arrays.equals(
                        head.voucher().orElse(new byte[0]),
                        addVoucher(head).voucher().orElse(new byte[0]));
    }

    private SharedEntries.Head addVoucher(SharedEntries.Head head) {
        return manifestKey.isEmpty()
                ? head
                : new SharedEntries.Head(
                        head.counter(),
                        head.expires(),
                        head.revision(),
                        head.sha256(),
                        manifestKey.map(signingKey ->
                                signingKey.sign(head.formatVouchedText().getBytes(US_ASCII))));
    }

    private static byte[] encode(SignedText signedText, Entries entries) throws IOException {
        ByteArrayOutputStream buffer = new ByteArrayOutputStream();
        buffer.writeBytes(signedText.encode());
        buffer.write('\n');
        buffer.writeBytes(entries.text().getBytes(UTF_8));
        if (buffer.size() > SharedEntries.MAX_BYTES) {
            throw new IOException(SharedEntries.FILE_NAME + ": " + buffer.size() + " bytes, and mirrors accept "
                    + SharedEntries.MAX_BYTES + ": publish them as a feed instead");
        }
        return buffer.toByteArray();
    }
}
