package org.bloomgate.lists.format;

import java.util.ArrayList;
import java.util.List;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KeyKind;

/// A value in a threat report, with its kind.
///
/// @param kind of the key that lists it
record Indicator(KeyKind kind, String value) {

    /// The indicators of one record that have the kind of the feed. A record without any is a comment for this
    /// feed, as reports contain indicators of all kinds.
    static ParsedLine of(List<Indicator> indicators, FeedKind feed) {
        List<String> values = new ArrayList<>();
        for (Indicator indicator : indicators) {
            if (feed.holds(indicator.kind)) {
                values.add(feed == FeedKind.AUTO ? indicator.marked() : indicator.value);
            }
        }
        return values.isEmpty() ? ParsedLine.COMMENT : new ParsedLine.Values(values, 0);
    }

    /// In a list of hosts and URLs, a bare host means a host, so a bare URL gets a final slash.
    private String marked() {
        boolean bare = kind == KeyKind.URL && value.indexOf('/') < 0 && value.indexOf('?') < 0;
        return bare ? value + '/' : value;
    }
}
