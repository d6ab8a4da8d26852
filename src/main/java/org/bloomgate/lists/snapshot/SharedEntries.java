package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The listings and exceptions of a publisher's operators, for its mirrors. A statement has one line for them,
/// and its body has the entries:
///
/// ```
///   entries 1795327001 <SHA-256 of the body> <voucher, base64, or ->
/// ```
///
/// Statements are signed by the keys for the published state. The voucher is an Ed25519 signature by a key for
/// manifests over revision and digest, see [#formatVouchedText()]: it stays valid when the statement is
/// renewed, so that its key need only be where entries are made.
///
/// @param revision counter of the first statement with these entries
/// @param sha256 of the body
/// @param voucher in base64
public record SharedEntries(long revision, String sha256, Optional<String> voucher) implements StatementForm.Content {
    public static final String FILE_NAME = "listings";

    /// The size of 100,000 entries.
    static final int MAX_BYTES = 32 << 20;

    public static final StatementForm<SharedEntries> FORM =
            new StatementForm<>(FILE_NAME, "bloomgate-listings 1", MAX_BYTES, SharedEntries::parseLines);

    private static final Pattern LINE =
            Pattern.compile("entries ([1-9][0-9]{0,17}) ([0-9a-f]{64}) ([A-Za-z0-9+/]{86}==|-)\n");

    @Override
    public String formatLines() {
        return "entries " + revision + " " + sha256 + " " + voucher.orElse("-") + "\n";
    }

    @Override
    public Optional<String> bodySha256() {
        return Optional.of(sha256);
    }

    private static SharedEntries parseLines(String lines, long counter) {
        Matcher line = LINE.matcher(lines);
        if (!line.matches() || Long.parseLong(line.group(1)) > counter) {
            throw new IllegalArgumentException(lines);
        }
        return new SharedEntries(
                Long.parseLong(line.group(1)),
                line.group(2),
                Optional.of(line.group(3)).filter(text -> !text.equals("-")));
    }

    /// The text that a voucher signs.
    String formatVouchedText() {
        return "bloomgate-voucher 1\nentries " + revision + " " + sha256 + "\n";
    }

    SharedEntries withVoucher(SigningKey key) {
        byte[] signature = key.sign(formatVouchedText().getBytes(US_ASCII));
        return new SharedEntries(
                revision, sha256, Optional.of(Base64.getEncoder().encodeToString(signature)));
    }

    /// Whether a trusted key for manifests vouches for the entries.
    boolean isVouched(SnapshotKeys keys) {
        return voucher.filter(text -> keys.isVouched(Base64.getDecoder().decode(text), formatVouchedText()))
                .isPresent();
    }
}
