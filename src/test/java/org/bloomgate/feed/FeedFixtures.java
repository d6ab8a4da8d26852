package org.bloomgate.feed;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.key.FeedKeys;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.PublicSuffixes;
import org.bloomgate.key.Use;

/// Readers and feeds for tests.
final class FeedFixtures {
    static final FeedKeys KEYS = new FeedKeys(PublicSuffixes.bundled());

    static final FeedReader READER =
            new FeedReader(KEYS, AllowList.of(List.of("allowed.example", "sub.deep.allowed.example", "t.co")));

    private FeedFixtures() {}

    /// A feed from `kind`, `format`, `column`, `path`, `trusted`, `category`, `use`, `source` and the bounds.
    static Feed feed(Map<String, String> settings) {
        Feed plain = Feed.of(
                "test",
                KeyKind.ofLabel(settings.getOrDefault("kind", "domain")).orElseThrow(),
                FeedFormat.ofLabel(settings.getOrDefault("format", "lines")).orElseThrow(),
                settings.getOrDefault("source", "-"));
        return new Feed(
                plain.name(),
                plain.kind(),
                plain.format(),
                plain.source(),
                settings.getOrDefault("category", plain.category()),
                plain.match(),
                plain.cadence(),
                Optional.ofNullable(settings.get("use")).map(FeedFixtures::uses).orElse(plain.use()),
                Boolean.parseBoolean(settings.get("trusted")),
                Optional.ofNullable(settings.get("column")),
                Optional.ofNullable(settings.get("path")),
                Boolean.parseBoolean(settings.get("allowPrivate")),
                Long.parseLong(settings.getOrDefault("maxBytes", "" + plain.maxBytes())),
                Long.parseLong(settings.getOrDefault("maxUnpackedBytes", "" + plain.maxUnpackedBytes())),
                Optional.ofNullable(settings.get("timeout"))
                        .map(Duration::parse)
                        .orElse(plain.timeout()));
    }

    private static Set<Use> uses(String labels) {
        return Arrays.stream(Use.values())
                .filter(use -> labels.contains(use.label()))
                .collect(Collectors.toSet());
    }

    static FeedCounts read(Feed feed, byte[] octets, FeedSink sink) throws FeedRefusedException {
        return READER.read(feed, new ByteArrayInputStream(octets), sink);
    }

    static String message(Throwable thrown) {
        return String.valueOf(thrown.getMessage());
    }

    static FeedCounts read(Feed feed, String text, FeedSink sink) throws FeedRefusedException {
        return read(feed, text.getBytes(StandardCharsets.UTF_8), sink);
    }
}
