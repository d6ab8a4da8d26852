package org.bloomgate.lists.format;

import java.util.ArrayList;
import java.util.List;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KeyKind;

/// A value that a report of threats names, with the kind it says it is.
///
/// @param kind of key that it can be listed by
record Indicator(KeyKind kind, String value) {

    /// The indicators of one record that a feed uses: those of its own kind. A record of other kinds is empty
    /// for this feed, as reports contain all kinds, each for another feed.
    static ParsedLine of(List<Indicator> indicators, FeedKind feed) {
        List<String> values = new ArrayList<>();
        for (Indicator indicator : indicators) {
            if (feed.holds(indicator.kind)) {
                values.add(feed == FeedKind.AUTO ? indicator.marked() : indicator.value);
            }
        }
        return values.isEmpty() ? ParsedLine.COMMENT : new ParsedLine.Values(values, 0);
    }

    /// In a list of hosts and URLs a bare host is a host: one that is declared as a URL ends with a slash.
    private String marked() {
        boolean bare = kind == KeyKind.URL && value.indexOf('/') < 0 && value.indexOf('?') < 0;
        return bare ? value + '/' : value;
    }
}
