package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.base.io.StateFile;

/// The publisher's confirmation that a snapshot still matches its feeds: a rebuild found nothing new. It renews
/// the age of the snapshot and changes nothing else.
///
/// One small file in each layer, `confirmed`, replaced by rename. Its lines are `bloomgate-confirmed 1`, the
/// layer, the generation, the SHA-256 of `manifest.json`, the time in whole seconds and, if snapshots are
/// signed, the Ed25519 signature over the lines before it. As the time is signed, a replayed old file renews
/// nothing beyond that time, and one of another snapshot has no effect.
///
/// @param manifestSha256 of the exact bytes of the manifest
/// @param at when the sources were found unchanged
public record Confirmation(String layer, String generation, String manifestSha256, Instant at) {
    /// Name of the file in the directory of a layer.
    public static final String FILE_NAME = "confirmed";

    /// Twice the size of the longest confirmation.
    public static final int MAX_BYTES = 1024;

    private static final Pattern FORM = Pattern.compile("(bloomgate-confirmed 1\\n"
            + "layer ([a-z0-9-]{1,63})\\ngeneration ([0-9TZa-f-]{21})\\nmanifest ([0-9a-f]{64})\\n"
            + "at ([0-9TZ:.-]{20,30})\\n)(?:signature ([A-Za-z0-9+/=]{88})\\n)?");

    /// A confirmation as in its file.
    ///
    /// @param signedText the text that the signature is over, in ASCII
    /// @param signature in base64
    record Statement(Confirmation confirmation, String signedText, Optional<String> signature) {}

    public Confirmation {
        at = at.truncatedTo(ChronoUnit.SECONDS);
    }

    /// @param manifest its bytes
    static Confirmation of(SnapshotManifest manifest, byte[] manifestBytes, Instant at) {
        return new Confirmation(manifest.layer(), manifest.generation(), Sha256.hex(manifestBytes), at);
    }

    byte[] encode(Optional<SigningKey> key) {
        String text = "bloomgate-confirmed 1\nlayer %s\ngeneration %s\nmanifest %s\nat %s\n"
                .formatted(layer, generation, manifestSha256, at);
        String signature = key.map(signingKey ->
                        "signature " + new String(signingKey.signManifest(text.getBytes(US_ASCII)), US_ASCII))
                .orElse("");
        return (text + signature).getBytes(US_ASCII);
    }

    /// Parses the file without checking its signature; [SnapshotReader] decides whether it is trusted.
    static Statement parse(byte[] bytes) throws SnapshotRefusedException {
        Matcher form = FORM.matcher(new String(bytes, US_ASCII));
        if (bytes.length > MAX_BYTES || !form.matches() || !Generation.isId(form.group(3))) {
            throw new SnapshotRefusedException(FILE_NAME + ": is not what a rebuild writes");
        }
        try {
            return new Statement(
                    new Confirmation(form.group(2), form.group(3), form.group(4), Instant.parse(form.group(5))),
                    form.group(1),
                    Optional.ofNullable(form.group(6)));
        } catch (DateTimeParseException e) {
            throw new SnapshotRefusedException(FILE_NAME + ": is not what a rebuild writes");
        }
    }

    /// The bytes of the layer's file, cut off after [#MAX_BYTES] and one.
    static Optional<byte[]> readBytes(Path layer) throws IOException {
        try (var in = StateFile.stream(layer.resolve(FILE_NAME))) {
            return Optional.of(in.readNBytes(MAX_BYTES + 1));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}
