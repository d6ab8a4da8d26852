package org.bloomgate.lists.snapshot;

import java.time.Instant;
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

/// The current generations of a publisher, all layers in one statement, so that an attacker cannot combine
/// layers that were never current together. A statement has a line for each of up to 16 layers:
///
/// ```
///   layer nightly 20261121T020305Z-09af <SHA-256 of manifest.json> <when it was confirmed, or ->
/// ```
///
/// @param layers in the order of their names
public record PublishedState(List<CurrentGeneration> layers) implements StatementForm.Content {
    public static final String FILE_NAME = "announced";

    public static final StatementForm<PublishedState> FORM = new StatementForm<>(
            FILE_NAME, "bloomgate-current 1", StatementForm.MAX_HEAD_BYTES, (lines, _) -> parseLines(lines));

    private static final int MAX_LAYERS = 16;

    private static final Pattern LAYER = Pattern.compile(
            "layer ([a-z0-9][a-z0-9-]{0,62}) ([0-9TZa-f-]{21}) ([0-9a-f]{64}) (" + StatementForm.TIME + "|-)");

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

    @Override
    public String formatLines() {
        return layers.stream().map(CurrentGeneration::formatLine).collect(Collectors.joining());
    }

    @Override
    public Optional<String> bodySha256() {
        return Optional.empty();
    }

    private static PublishedState parseLines(String lines) {
        List<CurrentGeneration> layers = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String line : lines.lines().toList()) {
            Matcher layer = LAYER.matcher(line);
            if (!layer.matches()
                    || !Generation.isId(layer.group(2))
                    || !names.add(layer.group(1))
                    || names.size() > MAX_LAYERS) {
                throw new IllegalArgumentException(line);
            }
            Optional<Instant> confirmedAt =
                    Optional.of(layer.group(4)).filter(at -> !at.equals("-")).map(Instant::parse);
            layers.add(new CurrentGeneration(layer.group(1), layer.group(2), layer.group(3), confirmedAt));
        }
        return new PublishedState(layers);
    }
}
