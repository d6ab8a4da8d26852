package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.base.io.StateFile;

/// The form of one kind of [Statement], in a file next to the layers: on a publisher its last statement, on a
/// mirror the highest one seen:
///
/// ```
///   <title>
///   counter 1795327085
///   expires 2026-11-23T14:00:00Z
///   <lines of the content>
///   signature ed25519 <base64>
/// ```
///
/// The signature, which only signed statements have, covers the lines before it. After a content that has the
/// digest of a body, an empty line and the body follow.
///
/// @param fileName below the root of the snapshots, and of the resource next to those of the generations
public record StatementForm<T extends StatementForm.Content>(
        String fileName, String title, int maxBytes, Parser<T> parser) {
    /// Ten times the size of 16 layers and a signature.
    static final int MAX_HEAD_BYTES = 32 * 1024;

    /// The form of times in statements.
    static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ";

    private static final Pattern HEAD = Pattern.compile("([^\\n]*\\ncounter ([1-9][0-9]{0,17})\\nexpires (" + TIME
            + ")\\n((?:(?!signature )[^\\n]++\\n)*+))((?:signature [^\\n]*\\n)?)");
    private static final Pattern SIGNATURE = Pattern.compile("signature ed25519 ([A-Za-z0-9+/=]{88})\n");

    /// What a statement states.
    public sealed interface Content permits PublishedState, SharedEntries {
        String formatLines();

        /// The digest of the body; empty if there is no body.
        Optional<String> bodySha256();
    }

    /// Parses the lines of the content.
    @FunctionalInterface
    interface Parser<T> {
        /// @param counter of the statement
        /// @throws IllegalArgumentException when it is not what a publisher writes
        T parse(String lines, long counter);
    }

    Statement<T> sign(long counter, Instant expires, T content, String body, Optional<SigningKey> key) {
        String text = formatText(counter, expires, content);
        return new Statement<>(
                counter, expires, content, text, key.map(signingKey -> signingKey.sign(text.getBytes(US_ASCII))), body);
    }

    private String formatText(long counter, Instant expires, T content) {
        return title + "\ncounter " + counter + "\nexpires " + expires + "\n" + content.formatLines();
    }

    /// Parses a file without checking its signature; [SnapshotReader] decides whether it is trusted.
    ///
    /// @throws SnapshotRefusedException when it is not what a publisher writes
    public Statement<T> parse(byte[] bytes) throws SnapshotRefusedException {
        Statement<T> head = parseHead(bytes);
        Optional<String> sha256 = head.content().bodySha256();
        int bodyStart = head.encodeHead().length + (sha256.isPresent() ? 1 : 0);
        byte[] body = Arrays.copyOfRange(bytes, bodyStart, bytes.length);
        if (bytes.length > maxBytes
                || sha256.filter(digest -> !digest.equals(Sha256.hex(body))).isPresent()) {
            throw createException();
        }
        return new Statement<>(
                head.counter(),
                head.expires(),
                head.content(),
                head.signedText(),
                head.signature(),
                new String(body, UTF_8));
    }

    /// Parses the lines before the body.
    ///
    /// @param bytes of the file, or its first ones
    private Statement<T> parseHead(byte[] bytes) throws SnapshotRefusedException {
        Matcher form = HEAD.matcher(new String(bytes, 0, Math.min(bytes.length, MAX_HEAD_BYTES), US_ASCII));
        try {
            if (form.lookingAt()) {
                long counter = Long.parseLong(form.group(2));
                Instant expires = Instant.parse(form.group(3));
                T content = parser.parse(form.group(4), counter);
                String text = formatText(counter, expires, content);
                boolean endsWell = content.bodySha256().isPresent()
                        ? form.end() < bytes.length && bytes[form.end()] == '\n'
                        : form.end() == bytes.length;
                if (endsWell && text.equals(form.group(1))) {
                    return new Statement<>(counter, expires, content, text, parseSignature(form.group(5)), "");
                }
            }
        } catch (DateTimeException | IllegalArgumentException e) {
            throw createException();
        }
        throw createException();
    }

    private static Optional<byte[]> parseSignature(String line) {
        if (line.isEmpty()) {
            return Optional.empty();
        }
        Matcher form = SIGNATURE.matcher(line);
        byte[] bytes = form.matches() ? Base64.getDecoder().decode(form.group(1)) : new byte[0];
        if (bytes.length != TrustedKey.SIGNATURE_BYTES) {
            throw new IllegalArgumentException(line);
        }
        return Optional.of(bytes);
    }

    private SnapshotRefusedException createException() {
        return new SnapshotRefusedException(fileName + ": is not what a publisher writes");
    }

    /// The statement in a directory of snapshots; empty if there is no file.
    ///
    /// @throws SnapshotRefusedException when it is not what a publisher writes
    public Optional<Statement<T>> read(Path root) throws IOException {
        Optional<byte[]> bytes = readBytes(root);
        return bytes.isPresent() ? Optional.of(parse(bytes.get())) : Optional.empty();
    }

    /// The same without the body.
    public Optional<Statement<T>> readHead(Path root) throws IOException {
        Optional<byte[]> bytes = readBytes(root, MAX_HEAD_BYTES);
        return bytes.isPresent() ? Optional.of(parseHead(bytes.get())) : Optional.empty();
    }

    /// The bytes of the file in a directory of snapshots, cut off after [#maxBytes] and one.
    public Optional<byte[]> readBytes(Path root) throws IOException {
        return readBytes(root, maxBytes);
    }

    private Optional<byte[]> readBytes(Path root, int limit) throws IOException {
        try (var in = StateFile.stream(root.resolve(fileName))) {
            return Optional.of(in.readNBytes(limit + 1));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}
