package org.bloomgate.lists.format;

import java.util.List;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KeyKind;

/// One value of a feed with what a publisher's list does to it on its way undone, before it becomes a key: reports
/// defang (`hxxp`, `[.]`), web pages escape (`&amp;`), lists of addresses shorten (`192.0.2.0/24`), lists for DNS
/// filters put a name into a regular expression ([NameExpression]).
///
/// @param kind that the feed, or the value itself, says
record FeedValue(KeyKind kind, String text) {

    static List<FeedValue> restored(FeedKind feed, String entry) {
        String value = feed.holds(KeyKind.DOMAIN) ? NameExpression.name(entry) : entry;
        KeyKind kind = feed == FeedKind.AUTO ? kindOf(value) : feed.kinds().getFirst();
        String plain = kind.rules().restored(value);
        return switch (kind) {
            case DOMAIN -> of(kind, AddressRange.expanded(plain));
            case NETWORK -> of(kind, NetworkValue.expanded(plain));
            default -> of(kind, List.of(plain));
        };
    }

    private static List<FeedValue> of(KeyKind kind, List<String> texts) {
        return texts.stream().map(text -> new FeedValue(kind, text)).toList();
    }

    /// The kind of a value in a list of hosts and URLs: a scheme, a path or a query makes it a URL, which lists
    /// only its own pages. An address range is many hosts.
    private static KeyKind kindOf(String value) {
        boolean url = value.indexOf('/') >= 0 || value.indexOf('?') >= 0;
        return url && !AddressRange.isRange(value) ? KeyKind.URL : KeyKind.DOMAIN;
    }
}
