package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.base.io.Sha256;

/// The listings and exceptions of a publisher's operators, for its mirrors.
///
/// One file, `listings`, next to [PublishedState]: on a publisher its last statement, on a mirror the highest
/// one seen:
///
/// ```
///   bloomgate-listings 1
///   counter 1795327085
///   expires 2026-11-23T14:00:00Z
///   entries 1795327001 <SHA-256 of all after the empty line> <voucher, base64, or ->
///   signature ed25519 <base64>
///
///   <entries>
/// ```
///
/// The signatures cover the lines before them and are made by the keys for the published state. The voucher is
/// an Ed25519 signature by a key for manifests over revision and digest, see [Head#formatVouchedText()]: it stays
/// valid when the statement is renewed, so that its key need only be where entries are made.
///
/// @param counter higher with each statement, as in [PublishedState]
/// @param revision counter of the first statement with these entries
/// @param vouched whether they have a voucher by a trusted key
/// @param entries as received; only their digest, `sha256`, is checked
public record SharedEntries(
        long counter, Instant expires, long revision, boolean vouched, String sha256, String entries) {
    /// Name of the file below the root of the snapshots, and of the resource next to those of the generations.
    public static final String FILE_NAME = "listings";

    /// The size of 100,000 entries.
    public static final int MAX_BYTES = 32 << 20;

    /// Twice the size of the lines before the entries.
    private static final int MAX_HEAD_BYTES = 8 * 1024;

    private static final Pattern FORM = Pattern.compile("(bloomgate-listings 1\\ncounter ([1-9][0-9]{0,17})\\nexpires ("
            + PublishedState.TIME + ")\\nentries ([1-9][0-9]{0,17}) ([0-9a-f]{64}) ([A-Za-z0-9+/]{86}==|-)\\n)("
            + SignedText.SIGNATURE_LINE + ")\\n");

    /// The lines before the entries.
    ///
    /// @param sha256 of the entries
    record Head(long counter, Instant expires, long revision, String sha256, Optional<byte[]> voucher) {
        String formatText() {
            return "bloomgate-listings 1\ncounter %d\nexpires %s\nentries %d %s %s\n"
                    .formatted(
                            counter,
                            expires,
                            revision,
                            sha256,
                            voucher.map(Base64.getEncoder()::encodeToString).orElse("-"));
        }

        /// The text that a voucher signs.
        String formatVouchedText() {
            return "bloomgate-voucher 1\nentries " + revision + " " + sha256 + "\n";
        }
    }

    /// A statement as in its file.
    record Statement(Head head, SignedText signedText, int headBytes) {
        /// @param bytes of the file
        SharedEntries toSharedEntries(byte[] bytes, boolean vouched) throws SnapshotRefusedException {
            byte[] entries = Arrays.copyOfRange(bytes, headBytes, bytes.length);
            if (bytes.length > MAX_BYTES || !Sha256.hex(entries).equals(head.sha256())) {
                throw createException();
            }
            return new SharedEntries(
                    head.counter(),
                    head.expires(),
                    head.revision(),
                    vouched,
                    head.sha256(),
                    new String(entries, UTF_8));
        }
    }

    public boolean isExpired(Instant now) {
        return now.isAfter(expires);
    }

    /// Reads the form of the lines before the entries.
    ///
    /// @param bytes of the file, or its first ones
    /// @throws SnapshotRefusedException when it is not what a publisher writes
    static Statement parseStatement(byte[] bytes) throws SnapshotRefusedException {
        Matcher form = FORM.matcher(new String(bytes, 0, Math.min(bytes.length, MAX_HEAD_BYTES), US_ASCII));
        if (!form.lookingAt()) {
            throw createException();
        }
        try {
            Head head = new Head(
                    Long.parseLong(form.group(2)),
                    Instant.parse(form.group(3)),
                    Long.parseLong(form.group(4)),
                    form.group(5),
                    Optional.of(form.group(6)).filter(text -> !text.equals("-")).map(Base64.getDecoder()::decode));
            SignedText signedText = SignedText.parse(form.group(1), form.group(7));
            if (head.revision() > head.counter() || !head.formatText().equals(signedText.text())) {
                throw createException();
            }
            return new Statement(head, signedText, form.end());
        } catch (DateTimeParseException | IllegalArgumentException e) {
            throw createException();
        }
    }

    private static SnapshotRefusedException createException() {
        return new SnapshotRefusedException(FILE_NAME + ": is not what a publisher writes");
    }

    /// The lines before the entries in a directory of snapshots; empty if there is no file.
    ///
    /// @throws SnapshotRefusedException when that is not what a publisher writes
    static Optional<Statement> readStatement(Path root) throws IOException {
        Optional<byte[]> headBytes = new StatementFile(root, FILE_NAME).readBytes(MAX_HEAD_BYTES);
        return headBytes.isPresent() ? Optional.of(parseStatement(headBytes.get())) : Optional.empty();
    }

    /// A tag that distinguishes statements in a directory of snapshots, without reading the entries: the digest
    /// of the lines before them.
    ///
    /// @throws SnapshotRefusedException when that is not what a publisher writes
    public static Optional<String> readTag(Path root) throws IOException {
        Optional<Statement> statement = readStatement(root);
        return statement.map(found -> Sha256.hex(found.signedText().encode()));
    }

    /// The bytes of the file in a directory of snapshots, cut off after [#MAX_BYTES] and one.
    public static Optional<byte[]> readBytes(Path root) throws IOException {
        return new StatementFile(root, FILE_NAME).readBytes(MAX_BYTES + 1);
    }
}
