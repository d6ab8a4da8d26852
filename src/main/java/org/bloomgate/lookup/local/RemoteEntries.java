package org.bloomgate.lookup.local;

import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.lookup.tier.Entry;

/// The entries of operators that this machine shares with others.
///
/// @param publisher entries of the publisher that this machine mirrors; empty if it mirrors none
/// @param published the entries this machine last published for its mirrors; empty if it has none
public record RemoteEntries(LocalEntries publisher, LocalEntries published) {
    public static final RemoteEntries NONE = new RemoteEntries(LocalEntries.NONE, LocalEntries.NONE);

    /// Where an entry applies, as a word for people and programs.
    enum Mark {
        /// Only here.
        HERE(""),
        /// Here, and on mirrors of this machine.
        PUBLISHED("published"),
        /// Here, instead of an entry of the publisher for the same value.
        OVERRULES("overrules"),
        /// Made at the publisher, and applied here.
        PUBLISHER("publisher"),
        /// Not applied here: an entry made here takes precedence over it.
        OVERRULED("overruled");

        private final String label;

        Mark(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    /// The entries here with their marks.
    Marks marks(LocalEntries here) {
        return new Marks(places(here), places(publisher), places(published));
    }

    private static Set<Entry.Place> places(LocalEntries entries) {
        return entries.all().stream().map(Entry::place).collect(Collectors.toSet());
    }

    record Marks(Set<Entry.Place> here, Set<Entry.Place> publisher, Set<Entry.Place> published) {
        String ofEntryHere(Entry entry) {
            Mark mark = publisher.contains(entry.place())
                    ? Mark.OVERRULES
                    : published.contains(entry.place()) ? Mark.PUBLISHED : Mark.HERE;
            return mark.label();
        }

        String ofPublisherEntry(Entry entry) {
            return (here.contains(entry.place()) ? Mark.OVERRULED : Mark.PUBLISHER).label();
        }
    }
}
