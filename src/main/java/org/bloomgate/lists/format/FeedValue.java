package org.bloomgate.lists.format;

import java.util.List;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KeyKind;

/// One value of a feed, restored to its plain form before it becomes a key: reports defang values (`hxxp`,
/// `[.]`), web pages escape them (`&amp;`), lists of addresses shorten them (`192.0.2.0/24`), and lists for DNS
/// filters write names as regular expressions ([NameExpression]).
///
/// @param kind of the feed, or derived from the value
record FeedValue(KeyKind kind, String text) {

    static List<FeedValue> restore(FeedKind feed, String entry) {
        String value = feed.holds(KeyKind.DOMAIN) ? NameExpression.name(entry) : entry;
        KeyKind kind = feed == FeedKind.AUTO ? guessKind(value) : feed.kinds().getFirst();
        String plain = kind.rules().restored(value);
        return switch (kind) {
            case DOMAIN -> of(kind, AddressRange.expand(plain));
            case NETWORK -> of(kind, NetworkValue.expand(plain));
            default -> of(kind, List.of(plain));
        };
    }

    private static List<FeedValue> of(KeyKind kind, List<String> texts) {
        return texts.stream().map(text -> new FeedValue(kind, text)).toList();
    }

    /// The kind of a value in a list of hosts and URLs: with a scheme, path or query it is a URL, which lists
    /// only its own pages. An address range means hosts.
    private static KeyKind guessKind(String value) {
        boolean isUrl = value.indexOf('/') >= 0 || value.indexOf('?') >= 0;
        return isUrl && !AddressRange.isRange(value) ? KeyKind.URL : KeyKind.DOMAIN;
    }
}
