package org.bloomgate.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import org.bloomgate.filter.BloomFilter;
import org.bloomgate.filter.FilterHeader;
import org.bloomgate.filter.FilterSizing;
import org.bloomgate.key.KeyKind;
import org.bloomgate.snapshot.ManifestFeed;
import org.bloomgate.snapshot.Snapshot;
import org.bloomgate.snapshot.SnapshotManifest;

/// What `inspect` says of one snapshot.
///
/// @param verified always true: a snapshot that does not verify is not opened
/// @param signature what is known of its signature: none, unchecked (no snapshotKey) or verified
record SnapshotView(
        String layer,
        String generation,
        Instant createdAt,
        long ageSeconds,
        boolean verified,
        String signature,
        int canonicalFormVersion,
        String publicSuffixListSha256,
        long entries,
        long bytes,
        long proofCount,
        List<Filter> filters,
        List<ManifestFeed> feeds) {

    /// One filter.
    ///
    /// @param aboveTarget the predicted rate is above the design rate
    /// @param measuredRate only when asked for
    record Filter(
            KeyKind kind,
            long entries,
            long bytes,
            double bitsPerEntry,
            long lines,
            int k,
            double fill,
            double designRate,
            double predictedRate,
            boolean aboveTarget,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<Double> measuredRate,
            String seed) {}

    static SnapshotView of(Snapshot snapshot, Duration age, long probes) {
        SnapshotManifest manifest = snapshot.manifest();
        List<Filter> filters = new ArrayList<>();
        snapshot.filters().forEach((kind, filter) -> filters.add(filter(kind, filter, probes)));
        filters.sort((a, b) -> a.kind().label().compareTo(b.kind().label()));
        return new SnapshotView(
                manifest.layer(),
                manifest.generation(),
                manifest.createdAt(),
                age.toSeconds(),
                true,
                snapshot.signature().label(),
                manifest.canonicalFormVersion(),
                manifest.publicSuffixListSha256(),
                manifest.entries(),
                manifest.sizeBytes(),
                manifest.proofCount(),
                filters,
                manifest.feeds());
    }

    private static Filter filter(KeyKind kind, BloomFilter filter, long probes) {
        FilterHeader header = filter.header();
        FilterSizing sizing = header.parameters().sizing();
        return new Filter(
                kind,
                header.inserted(),
                header.parameters().fileBytes(),
                header.inserted() == 0 ? 0 : header.bitsPerEntry(),
                sizing.lines(),
                sizing.bitsPerKey(),
                header.fill(),
                sizing.targetRate(),
                header.predictedRate(),
                header.aboveTarget(),
                probes > 0 ? Optional.of(filter.measuredRate(probes, new SplittableRandom())) : Optional.empty(),
                HexFormat.of().toHexDigits(header.parameters().seed()));
    }

    String text() {
        StringBuilder text = new StringBuilder();
        text.append("%s/%s, %s old, %,d keys, %,d bytes, verified, signature %s; %,d keys proven%n"
                .formatted(layer, generation, age(), entries, bytes, signature, proofCount));
        text.append("  %-10s %13s %13s %9s %11s %3s %6s %9s %9s %9s%n"
                .formatted(
                        "filter",
                        "keys",
                        "bytes",
                        "bits/key",
                        "lines",
                        "k",
                        "fill",
                        "design",
                        "predicted",
                        "measured"));
        for (Filter f : filters) {
            text.append("  %-10s %,13d %,13d %9.2f %,11d %3d %6.3f %9.1e %9.1e %9s%s%n"
                    .formatted(
                            f.kind().label(),
                            f.entries(),
                            f.bytes(),
                            f.bitsPerEntry(),
                            f.lines(),
                            f.k(),
                            f.fill(),
                            f.designRate(),
                            f.predictedRate(),
                            f.measuredRate().map("%.1e"::formatted).orElse("-"),
                            f.aboveTarget() ? "  above design" : ""));
        }
        text.append("  %-32s %-10s %-12s %9s %9s %9s %8s %7s%n"
                .formatted("feed", "kind", "category", "lines", "entries", "comments", "rejects", "held"));
        for (ManifestFeed f : feeds) {
            text.append("  %-32s %-10s %-12s %,9d %,9d %,9d %,8d %,7d%n"
                    .formatted(
                            f.name(),
                            f.kind().label(),
                            f.category(),
                            f.lines(),
                            f.entries(),
                            f.comments(),
                            f.rejects(),
                            f.held()));
        }
        return text.toString();
    }

    private String age() {
        Duration age = Duration.ofSeconds(ageSeconds);
        if (age.toDays() > 0) {
            return "%dd %dh".formatted(age.toDays(), age.toHoursPart());
        }
        return String.format(Locale.ROOT, "%dh %dm", age.toHours(), age.toMinutesPart());
    }
}
