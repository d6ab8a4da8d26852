package org.bloomgate.lists.export;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// The content of an export, and the listings that are left out.
///
/// @param lines of entries
/// @param passthrus records of a response policy zone that pass a name because a feed excepts it itself
/// @param leftOut number of left out listings by reason
/// @param notRedistributed feeds whose licence forbids passing them on
public record ExportReport(long lines, long passthrus, Map<String, Long> leftOut, List<String> notRedistributed) {
    public ExportReport {
        leftOut = Map.copyOf(leftOut);
        notRedistributed = List.copyOf(notRedistributed);
    }

    /// A sentence: `1,204 lines; left out: 3 excepted`.
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
