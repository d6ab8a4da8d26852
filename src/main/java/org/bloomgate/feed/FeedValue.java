package org.bloomgate.feed;

import java.util.List;
import org.bloomgate.key.KeyKind;

/// What a publisher's list does to a value on its way, undone before the value becomes a key: reports defang
/// (`hxxp`, `[.]`), web pages escape (`&amp;`), lists of addresses shorten (`192.0.2.0/24`).
final class FeedValue {
    private FeedValue() {}

    static List<String> restored(KeyKind kind, String value) {
        return switch (kind) {
            case DOMAIN -> AddressRange.expanded(refanged(value));
            case URL -> List.of(refanged(value).replace("&amp;", "&"));
            case ADDRESS, PASSWORD, HASH, KEYWORD -> List.of(value);
        };
    }

    private static String refanged(String value) {
        String dotted = value.replace("[.]", ".");
        return dotted.regionMatches(true, 0, "hxxp", 0, 4) ? "http" + dotted.substring(4) : dotted;
    }
}
