package org.bloomgate.lookup.tier;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.bloomgate.core.key.KeyKind;

/// Running totals of all lookups since start, for the metrics. Thread-safe; counting takes no lock except for the
/// first key of a layer and the first use of a reason.
public final class LookupCounts {
    /// The most distinct reasons; later ones count as [#OTHER].
    static final int MAX_REASONS = 24;

    private static final int MAX_REASON_CHARACTERS = 60;
    private static final String OTHER = "other";

    private final LongAdder keys = new LongAdder();
    private final LongAdder suspects = new LongAdder();
    private final LongAdder confirmed = new LongAdder();
    private final LongAdder refuted = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final RecentSuspects recent = new RecentSuspects(System::nanoTime);
    private final LongAdder unreadable = new LongAdder();
    private final Map<String, Map<KeyKind, FilterCounts>> filters = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> reasons = new ConcurrentHashMap<>();

    void countKeys(int more) {
        keys.add(more);
    }

    void countSuspects(int more) {
        suspects.add(more);
    }

    void countUnreadable() {
        unreadable.increment();
    }

    /// How many suspects of the last minute could not be looked up, in words; empty unless there were at least 20
    /// suspects and more than one in 20 failed.
    public Optional<String> describeDegradation() {
        return recent.describeDegradation();
    }

    void countAnswer(String layer, KeyKind kind, ExactAnswer answer) {
        filter(layer, kind).countAnswer(answer);
        recent.countAnswer(!(answer instanceof ExactAnswer.Unknown));
        switch (answer) {
            case ExactAnswer.Listed _ -> confirmed.increment();
            case ExactAnswer.NotListed notListed -> (notListed.held() ? confirmed : refuted).increment();
            case ExactAnswer.Unknown answered -> {
                unknown.increment();
                reason(answered.reason()).increment();
            }
        }
    }

    /// The totals of one filter.
    FilterCounts filter(String layer, KeyKind kind) {
        Map<KeyKind, FilterCounts> ofLayer = filters.get(layer);
        if (ofLayer == null) {
            ofLayer = filters.computeIfAbsent(layer, first -> ofEveryKind());
        }
        FilterCounts found = ofLayer.get(kind);
        if (found == null) {
            throw new IllegalStateException("no counts of " + kind);
        }
        return found;
    }

    private static Map<KeyKind, FilterCounts> ofEveryKind() {
        Map<KeyKind, FilterCounts> counts = new EnumMap<>(KeyKind.class);
        for (KeyKind kind : KeyKind.values()) {
            counts.put(kind, new FilterCounts());
        }
        return Collections.unmodifiableMap(counts);
    }

    private LongAdder reason(String text) {
        String label = label(text);
        boolean room = reasons.containsKey(label) || reasons.size() < MAX_REASONS;
        return reasons.computeIfAbsent(room ? label : OTHER, first -> new LongAdder());
    }

    /// The words at the start of a reason, without paths, numbers and addresses, which differ each time.
    private static String label(String reason) {
        int end = 0;
        while (end < reason.length() && end < MAX_REASON_CHARACTERS && isWordOrSeparator(reason.charAt(end))) {
            end++;
        }
        boolean whole = end == reason.length() || !continuesName(reason.charAt(end));
        String words =
                whole ? reason.substring(0, end) : reason.substring(0, Math.max(0, reason.lastIndexOf(' ', end)));
        String label = words.replaceAll("[ :-]+$", "");
        return label.isEmpty() ? OTHER : label;
    }

    private static boolean isWordOrSeparator(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ' || c == ':' || c == '-';
    }

    /// After such a character, the rest of a name follows, as in `var/snapshots`.
    private static boolean continuesName(char c) {
        return c > ' ' && c != ',' && c != ';' && c != '(';
    }

    /// Counts by layer and kind; with every kind as soon as one key of the layer was probed.
    public Map<String, Map<KeyKind, FilterCounts>> filters() {
        return Collections.unmodifiableMap(filters);
    }

    /// How many suspects were unknown for which reason, in short words.
    public Map<String, Long> unknownByReason() {
        Map<String, Long> byReason = new TreeMap<>();
        reasons.forEach((reason, count) -> byReason.put(reason, count.sum()));
        return byReason;
    }

    /// Keys probed.
    public long keys() {
        return keys.sum();
    }

    /// Keys that a filter could not rule out.
    public long suspects() {
        return suspects.sum();
    }

    /// Suspects that the exact tier contains.
    public long confirmed() {
        return confirmed.sum();
    }

    /// Suspects that the exact tier does not contain: the false positives of the filters.
    public long refuted() {
        return refuted.sum();
    }

    /// Suspects about which the exact tier could not answer.
    public long unknown() {
        return unknown.sum();
    }

    /// Batches of keys that were sent entirely to the exact tier because a filter could not be read.
    public long unreadableFilters() {
        return unreadable.sum();
    }
}
