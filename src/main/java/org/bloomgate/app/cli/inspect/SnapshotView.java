package org.bloomgate.app.cli.inspect;

import static org.bloomgate.app.cli.common.TextTable.Column.count;
import static org.bloomgate.app.cli.common.TextTable.Column.word;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import org.bloomgate.app.cli.common.TextTable;
import org.bloomgate.app.cli.common.TextTable.Column;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.bloom.FilterHeader;
import org.bloomgate.core.bloom.FilterSizing;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.snapshot.ManifestFeed;
import org.bloomgate.lists.snapshot.Snapshot;
import org.bloomgate.lists.snapshot.SnapshotManifest;

/// One snapshot as `inspect` prints it.
///
/// @param verified always true: a snapshot that does not verify is not opened
/// @param signature state of its signature: none, unchecked (no snapshotKey) or verified
public record SnapshotView(
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
    /// @param measuredRate only with `--measure`
    record Filter(
            KeyKind kind,
            long entries,
            long bytes,
            double bitsPerEntry,
            String layout,
            long lines,
            int k,
            double fill,
            double designRate,
            double predictedRate,
            boolean aboveTarget,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<Double> measuredRate,
            String seed) {

        private String measured() {
            return measuredRate
                    .map(rate -> String.format(Locale.ROOT, "%.1e", rate))
                    .orElse("-");
        }
    }

    private static final List<Column<Filter>> FILTERS = List.of(
            word("filter", filter -> filter.kind().label()),
            count("keys", Filter::entries),
            count("bytes", Filter::bytes),
            new Column<>("bits/key", "%.2f", Filter::bitsPerEntry),
            word("layout", Filter::layout),
            count("lines", Filter::lines),
            count("k", Filter::k),
            new Column<>("fill", "%.3f", Filter::fill),
            new Column<>("design", "%.1e", Filter::designRate),
            new Column<>("predicted", "%.1e", Filter::predictedRate),
            word("measured", Filter::measured),
            word("", filter -> filter.aboveTarget() ? "above design" : ""));

    private static final List<Column<ManifestFeed>> FEEDS = List.of(
            word("feed", ManifestFeed::name),
            word("kind", feed -> feed.kind().label()),
            word("category", ManifestFeed::category),
            count("lines", ManifestFeed::lines),
            count("entries", ManifestFeed::entries),
            count("comments", ManifestFeed::comments),
            count("rejects", ManifestFeed::rejects),
            count("held", ManifestFeed::held));

    public static SnapshotView of(Snapshot snapshot, Duration age, long probes) {
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
                manifest.countEntries(),
                manifest.countBytes(),
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
                sizing.layout().label(),
                sizing.lines(),
                sizing.bitsPerKey(),
                header.fill(),
                sizing.targetRate(),
                header.predictedRate(),
                header.aboveTarget(),
                probes > 0 ? Optional.of(filter.measuredRate(probes, new SplittableRandom())) : Optional.empty(),
                HexFormat.of().toHexDigits(header.parameters().seed()));
    }

    public String text() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%s/%s, %s old, %,d keys, %,d bytes, verified, signature %s; %,d keys proven",
                layer,
                generation,
                age(),
                entries,
                bytes,
                signature,
                proofCount));
        TextTable.lines(filters, FILTERS).forEach(line -> lines.add("  " + line));
        TextTable.lines(feeds, FEEDS).forEach(line -> lines.add("  " + line));
        return String.join("\n", lines) + "\n";
    }

    private String age() {
        Duration age = Duration.ofSeconds(ageSeconds);
        return age.toDays() > 0
                ? age.toDays() + "d " + age.toHoursPart() + "h"
                : age.toHours() + "h " + age.toMinutesPart() + "m";
    }
}
