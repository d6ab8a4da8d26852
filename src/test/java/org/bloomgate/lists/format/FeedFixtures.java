package org.bloomgate.lists.format;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.RecordCopy;
import org.bloomgate.base.config.Labelled;
import org.bloomgate.core.key.FeedKeys;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.PhoneNumbers;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.key.Use;
import org.bloomgate.lists.fetch.Digest;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.fetch.FeedRefusedException;

/// Readers and feeds for tests.
public final class FeedFixtures {
    static final FeedKeys KEYS = new FeedKeys(PublicSuffixes.bundled(), new PhoneNumbers(List.of("US", "GB")));

    static final FeedReader READER =
            new FeedReader(KEYS, AllowList.of(List.of("allowed.example", "sub.deep.allowed.example", "t.co")));

    private static final Set<String> IDENTITY = Set.of("kind", "format", "source");

    private FeedFixtures() {}

    /// A feed with these keys of `feeds.yaml`, but name, match and cadence.
    public static Feed feed(Map<String, String> settings) {
        Feed plain = Feed.of(
                "test",
                kind(settings.getOrDefault("kind", "domain")),
                Labelled.find(FeedFormat.class, settings.getOrDefault("format", "lines"))
                        .orElseThrow(),
                settings.getOrDefault("source", "-"));
        Feed feed = plain;
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            if (!IDENTITY.contains(setting.getKey())) {
                feed = RecordCopy.with(feed, setting.getKey(), value(setting.getKey(), setting.getValue()));
            }
        }
        return feed;
    }

    private static FeedKind kind(String label) {
        return Arrays.stream(FeedKind.values())
                .filter(kind -> kind.label().equals(label))
                .findFirst()
                .orElseThrow();
    }

    private static Object value(String key, String text) {
        return switch (key) {
            case "category" -> text;
            case "digest" -> Digest.valueOf(text.toUpperCase(java.util.Locale.ROOT));
            case "use" -> uses(text);
            case "trusted", "atConnect", "allowPrivate" -> Boolean.parseBoolean(text);
            case "column", "path" -> Optional.of(text);
            case "maxBytes", "maxUnpackedBytes" -> Long.parseLong(text);
            case "timeout", "retention" -> Duration.parse(text);
            case "maxRejectShare", "maxHoldShare", "maxShrinkShare", "maxGrowthShare", "maxBlastShare" ->
                Optional.of(Double.parseDouble(text));
            default -> throw new IllegalArgumentException(key);
        };
    }

    private static Set<Use> uses(String labels) {
        return Arrays.stream(Use.values())
                .filter(use -> labels.contains(use.label()))
                .collect(Collectors.toSet());
    }

    public static FeedCounts read(Feed feed, byte[] bytes, FeedSink sink) throws FeedRefusedException {
        return READER.read(feed, () -> new ByteArrayInputStream(bytes), sink);
    }

    public static String message(Throwable thrown) {
        return String.valueOf(thrown.getMessage());
    }

    public static FeedCounts read(Feed feed, String text, FeedSink sink) throws FeedRefusedException {
        return read(feed, text.getBytes(StandardCharsets.UTF_8), sink);
    }
}
