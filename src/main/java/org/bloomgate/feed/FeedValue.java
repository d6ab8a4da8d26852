package org.bloomgate.feed;

import java.util.List;
import org.bloomgate.key.KeyKind;

/// What a publisher's list does to a value on its way, undone before the value becomes a key: reports defang
/// (`hxxp`, `[.]`), web pages escape (`&amp;`), lists of addresses shorten (`192.0.2.0/24`).
final class FeedValue {
    private FeedValue() {}

    static List<String> restored(KeyKind kind, String value) {
        String plain = kind.rules().restored(value);
        return kind == KeyKind.DOMAIN ? AddressRange.expanded(plain) : List.of(plain);
    }
}
