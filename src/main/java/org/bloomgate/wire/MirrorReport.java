package org.bloomgate.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// What a mirror tells its publisher of itself.
///
/// @param counter of the newest statement heard of what is current
/// @param listings counter of the publisher's listings in force
/// @param faults that keep it from following, or anything else that was refused
/// @param entries that its own operators list, the first of them
/// @param entriesLeft how many more there are
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record MirrorReport(
        List<Layer> layers,
        Optional<Long> counter,
        Optional<Long> listings,
        boolean ready,
        List<Fault> faults,
        List<Entry> entries,
        int entriesLeft) {
    public static final String PATH = "/v1/fleet/report";

    /// More than a report of all there may be takes.
    public static final int MAX_BYTES = 512 * 1024;

    public static final int MAX_LAYERS = 16;
    public static final int MAX_FAULTS = 20;
    public static final int MAX_ENTRIES = 1000;
    public static final int MAX_TEXT_CHARS = 300;

    /// The kinds whose entries are told: of a mail address or a password nobody else needs to know.
    public static final Set<String> KINDS = Set.of("domain", "url", "network");

    private static final Pattern GENERATION = Pattern.compile("[0-9TZa-f-]{21}");

    /// @throws IllegalArgumentException when it is beyond a bound
    public MirrorReport {
        layers = atMost(MAX_LAYERS, "layers", layers);
        faults = atMost(MAX_FAULTS, "faults", faults);
        entries = atMost(MAX_ENTRIES, "entries", entries);
        if (counter.orElse(0L) < 0 || listings.orElse(0L) < 0 || entriesLeft < 0) {
            throw new IllegalArgumentException("a count below 0");
        }
    }

    /// One layer in force.
    public record Layer(String layer, String generation) {
        public Layer {
            requireText(layer);
            if (!GENERATION.matcher(generation).matches()) {
                throw new IllegalArgumentException("generation");
            }
        }
    }

    /// @param since when it was first met, in ISO 8601
    public record Fault(String layer, String reason, String since) {
        public Fault {
            requireText(since);
            requireText(layer);
            requireText(reason);
        }
    }

    /// @param value canonical text
    public record Entry(String kind, String value, String category) {
        public Entry {
            requireText(value);
            requireText(category);
            if (!KINDS.contains(kind)) {
                throw new IllegalArgumentException("kind");
            }
        }
    }

    /// One line of at most [#MAX_TEXT_CHARS].
    public static boolean isText(String text) {
        return text.length() <= MAX_TEXT_CHARS && text.chars().noneMatch(Character::isISOControl);
    }

    private static void requireText(String text) {
        if (!isText(text)) {
            throw new IllegalArgumentException("a text that is too long or no line");
        }
    }

    private static <T> List<T> atMost(int most, String name, List<T> list) {
        if (list.size() > most) {
            throw new IllegalArgumentException("more than " + most + " " + name);
        }
        return List.copyOf(list);
    }
}
