package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.bloom.BloomFilterBuilder;
import org.bloomgate.core.bloom.FilterSizing;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.key.Use;

/// Small snapshots for tests.
public final class Snapshots {
    public static final Instant NOW = Instant.parse("2026-11-21T02:03:05.678Z");
    public static final PublicSuffixes SUFFIXES = PublicSuffixes.of("example\ntest\n".getBytes(UTF_8));
    public static final PublicSuffixes OTHER_SUFFIXES = PublicSuffixes.of("example\ntest\nco.test\n".getBytes(UTF_8));

    private Snapshots() {}

    /// A manifest of nothing, for a field that a test sets.
    public static SnapshotManifest none() {
        return new SnapshotManifest(1, 1, "", "", NOW, "", 0, List.of(), List.of(), List.of(), Map.of());
    }

    public static SnapshotManifest publish(Path root, String layer, String... domains) throws IOException {
        return publish(root, layer, SUFFIXES, domains);
    }

    public static SnapshotManifest publish(Path root, String layer, PublicSuffixes suffixes, String... domains)
            throws IOException {
        return publish(root, layer, NOW, suffixes, domains);
    }

    public static SnapshotManifest publish(
            Path root, String layer, Instant now, PublicSuffixes suffixes, String... domains) throws IOException {
        try (SnapshotWriter writer = SnapshotWriter.begin(root, layer, now)) {
            write(writer, suffixes, domains);
            return writer.publish(List.of(feed(domains.length)), domains.length);
        }
    }

    public static void write(SnapshotWriter writer, PublicSuffixes suffixes, String... domains) throws IOException {
        BloomFilterBuilder builder = writer.beginFilter(KeyKind.DOMAIN, FilterSizing.of(domains.length, 1e-6), 42);
        for (String domain : domains) {
            byte[] bytes = domain.getBytes(UTF_8);
            builder.add(bytes, 0, bytes.length);
        }
        builder.finish();
        Files.createDirectory(writer.exactDirectory());
        Files.writeString(writer.exactDirectory().resolve("000001.sst"), String.join("\n", domains));
        writer.writeSuffixes(suffixes);
    }

    public static ManifestFeed feed(int entries) {
        return new ManifestFeed(
                "sample",
                FeedKind.DOMAIN,
                "phishing",
                Match.SUFFIX,
                Set.of(Use.LINK),
                Optional.empty(),
                false,
                false,
                "nightly",
                "blacklists/sample/domains.txt",
                "source",
                Optional.of(NOW),
                entries + 3,
                entries,
                1,
                1,
                1,
                entries,
                List.of());
    }

    static boolean asks(Snapshot snapshot, String domain) {
        BloomFilter filter =
                Optional.ofNullable(snapshot.filters().get(KeyKind.DOMAIN)).orElseThrow();
        byte[] bytes = domain.getBytes(UTF_8);
        return filter.mightContain(filter.hash().hash(bytes, 0, bytes.length));
    }

    /// Flips a bit of a file in place.
    public static void flip(Path file, long at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[Math.toIntExact(at)] ^= 4;
        Files.write(file, bytes);
    }
}
