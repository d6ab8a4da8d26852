package org.bloomgate.server.dns;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.text.TextScan;

/// An entry of `dns.zones`.
///
/// @param kinds of keys that can be queried in it
/// @param feeds whose listings are in the zone; empty for all. Entries of operators are in every zone of their
///     kind
/// @param codes by category; `default` for categories that reject mail and have no code of their own
/// @param ttl longest time that an answer may be cached; shorter if the next layer is due earlier
/// @param text of the TXT record, with `{name}` and `{category}`; empty for none
public record ZoneOptions(
        Set<KeyKind> kinds, List<String> feeds, Map<String, ReturnCode> codes, Duration ttl, String text) {
    /// The longest template; with name and category filled in, the text may have up to 255 bytes.
    static final int MAX_TEXT = 200;

    static final String DEFAULT_CODE = "default";

    private static final Duration LONGEST_TTL = Duration.ofDays(1);

    public ZoneOptions {
        kinds = Set.copyOf(kinds);
        feeds = List.copyOf(feeds);
        codes = Map.copyOf(codes);
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException("kinds: name at least one");
        }
        kinds.stream().filter(kind -> !ServedZone.answersFor(kind)).findFirst().ifPresent(kind -> {
            throw new IllegalArgumentException(
                    "kinds: " + kind.label() + " cannot be queried by DNS; domain and network can");
        });
        if (ttl.compareTo(Duration.ofSeconds(1)) < 0 || ttl.compareTo(LONGEST_TTL) > 0) {
            throw new IllegalArgumentException("ttl must be from 1s to 1d");
        }
        if (!TextScan.consistsOf(text, TextScan::isPrintable, 0, MAX_TEXT)) {
            throw new IllegalArgumentException("text: write at most " + MAX_TEXT
                    + " printable ASCII characters, {name} and {category} among them");
        }
        String plain = text.replace("{name}", "").replace("{category}", "");
        if (plain.indexOf('{') >= 0 || plain.indexOf('}') >= 0) {
            throw new IllegalArgumentException("text: only {name} and {category} may be in braces");
        }
    }

    public static ZoneOptions defaults() {
        return new ZoneOptions(
                Set.of(KeyKind.DOMAIN),
                List.of(),
                Map.of(DEFAULT_CODE, ReturnCode.DEFAULT),
                Duration.ofMinutes(5),
                "listed {name} {category}");
    }
}
