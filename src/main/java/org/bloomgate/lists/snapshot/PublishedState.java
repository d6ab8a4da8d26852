package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bloomgate.base.io.Sha256;

/// The current generations of a publisher, all layers in one statement, so that an attacker cannot replay an
/// old one, withhold a new one beyond its expiry, or combine layers that were never current together.
///
/// One small file, `announced`, next to the layers: on a publisher its last statement, on a mirror the
/// highest one seen. Its lines are
///
/// ```
///   bloomgate-current 1
///   counter 1795327085
///   expires 2026-11-23T14:00:00Z
///   layer nightly 20261121T020305Z-09af <SHA-256 of manifest.json> <when it was confirmed, or ->
///   signature ed25519 <base64>
/// ```
///
/// with up to 16 layers in the order of their names, and up to two signatures over the lines before them.
///
/// @param counter higher with each statement; the first one of a publisher is the number of seconds since 1970,
///     so that a publisher that lost its directory continues above the counters that mirrors have seen
/// @param expires after which mirrors no longer trust that it is the newest
public record PublishedState(long counter, Instant expires, List<CurrentGeneration> layers) {
    /// Name of the file below the root of the snapshots, and of the resource next to those of the generations.
    public static final String FILE_NAME = "announced";

    /// Four times the size of 16 layers and both signatures.
    public static final int MAX_BYTES = 32 * 1024;

    /// A statement with a longer lifetime is invalid.
    public static final Duration MAX_LIFETIME = Duration.ofDays(366);

    /// The form of times in statements.
    static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ";
    private static final Pattern LAYER =
            Pattern.compile("layer ([a-z0-9][a-z0-9-]{0,62}) ([0-9TZa-f-]{21}) ([0-9a-f]{64}) (" + TIME + "|-)");
    private static final Pattern FORM = Pattern.compile("(bloomgate-current 1\\ncounter ([1-9][0-9]{0,17})\\nexpires ("
            + TIME + ")\\n((?:layer [^\\n]*\\n){0,16}))(" + SignedText.SIGNATURE_LINE + ")");

    public PublishedState {
        layers = List.copyOf(layers);
    }

    /// The current generation of one layer.
    ///
    /// @param manifestSha256 of the exact bytes of the manifest
    /// @param confirmedAt when a rebuild last found nothing new
    public record CurrentGeneration(
            String layer, String generation, String manifestSha256, Optional<Instant> confirmedAt) {
        public CurrentGeneration {
            confirmedAt = confirmedAt.map(at -> at.truncatedTo(ChronoUnit.SECONDS));
        }

        /// Whether these are the bytes of the manifest.
        public boolean matches(byte[] manifest) {
            return manifestSha256.equals(Sha256.hex(manifest));
        }

        private String formatLine() {
            return "layer %s %s %s %s\n"
                    .formatted(
                            layer,
                            generation,
                            manifestSha256,
                            confirmedAt.map(Instant::toString).orElse("-"));
        }
    }

    /// A statement as in its file.
    record Statement(PublishedState publishedState, SignedText signedText) {}

    public boolean isExpired(Instant now) {
        return now.isAfter(expires);
    }

    String formatText() {
        return "bloomgate-current 1\ncounter %d\nexpires %s\n%s"
                .formatted(
                        counter,
                        expires,
                        layers.stream().map(CurrentGeneration::formatLine).collect(Collectors.joining()));
    }

    byte[] encode(Optional<SigningKey> key) {
        return SignedText.sign(key, formatText()).encode();
    }

    /// Parses bytes whose signature was verified before.
    ///
    /// @throws SnapshotRefusedException when it is not what a publisher writes
    public static PublishedState parse(byte[] bytes) throws SnapshotRefusedException {
        return parseStatement(bytes).publishedState();
    }

    /// Parses the file without checking its signature; [SnapshotReader] decides whether it is trusted.
    ///
    /// @throws SnapshotRefusedException when it is not what a publisher writes
    static Statement parseStatement(byte[] bytes) throws SnapshotRefusedException {
        Matcher form = FORM.matcher(new String(bytes, US_ASCII));
        if (bytes.length > MAX_BYTES || !form.matches()) {
            throw createException();
        }
        try {
            PublishedState publishedState = new PublishedState(
                    Long.parseLong(form.group(2)), Instant.parse(form.group(3)), parseLayers(form.group(4)));
            Statement statement = new Statement(publishedState, SignedText.parse(form.group(1), form.group(5)));
            if (!publishedState.formatText().equals(statement.signedText().text())) {
                throw createException();
            }
            return statement;
        } catch (DateTimeParseException | IllegalArgumentException e) {
            throw createException();
        }
    }

    private static List<CurrentGeneration> parseLayers(String lines) throws SnapshotRefusedException {
        List<CurrentGeneration> layers = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String line : lines.lines().toList()) {
            Matcher layer = LAYER.matcher(line);
            if (!layer.matches() || !Generation.isId(layer.group(2)) || !names.add(layer.group(1))) {
                throw createException();
            }
            Optional<Instant> confirmedAt =
                    Optional.of(layer.group(4)).filter(at -> !at.equals("-")).map(Instant::parse);
            layers.add(new CurrentGeneration(layer.group(1), layer.group(2), layer.group(3), confirmedAt));
        }
        return layers;
    }

    private static SnapshotRefusedException createException() {
        return new SnapshotRefusedException(FILE_NAME + ": is not what a publisher writes");
    }

    /// The bytes of the file in a directory of snapshots, cut off after [#MAX_BYTES] and one.
    public static Optional<byte[]> readBytes(Path root) throws IOException {
        return new StatementFile(root, FILE_NAME).readBytes(MAX_BYTES + 1);
    }
}
