package org.bloomgate.lists.export;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// What an export holds, and what it leaves out.
///
/// @param lines of entries
/// @param passthrus records of a response policy zone that let a name through because a feed excepts it itself
/// @param leftOut number of listings by the reason that they are not in it
/// @param notRedistributed feeds that may not leave this site
public record ExportReport(long lines, long passthrus, Map<String, Long> leftOut, List<String> notRedistributed) {
    public ExportReport {
        leftOut = Map.copyOf(leftOut);
        notRedistributed = List.copyOf(notRedistributed);
    }

    /// The same in words: `1,204 lines; left out: 3 excepted`.
    @Override
    public String toString() {
        SortedMap<String, Long> reasons = new TreeMap<>(leftOut);
        StringBuilder text = new StringBuilder("%,d lines".formatted(lines));
        if (passthrus > 0) {
            text.append("; %,d for exceptions of feeds".formatted(passthrus));
        }
        reasons.forEach((reason, count) -> text.append("; left out: %,d %s".formatted(count, reason)));
        notRedistributed.forEach(feed -> text.append("; %s: left out: redistribute is false".formatted(feed)));
        return text.toString();
    }
}
