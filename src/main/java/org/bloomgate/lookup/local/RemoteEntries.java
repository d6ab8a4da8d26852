package org.bloomgate.lookup.local;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// The state of operators' entries beyond this machine.
///
/// @param publisher what the operators of the publisher say that this machine follows; none when it follows none
/// @param published the entries this machine last published for its mirrors; empty if it has none
public record RemoteEntries(LocalEntries publisher, LocalEntries published) {
    public static final RemoteEntries NONE = new RemoteEntries(LocalEntries.NONE, LocalEntries.NONE);

    /// Where an entry holds besides or instead, as a word for people and programs.
    enum Mark {
        /// Here alone.
        HERE(""),
        /// Mirrors of this machine have it too.
        PUBLISHED("published"),
        /// Here, instead of what the publisher says of the same value.
        OVERRULES("overrules"),
        /// Here, since the publisher says so.
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

    /// The entries of the publisher.
    List<Entry> theirs(Entry.Type type) {
        return publisher.of(type);
    }

    record Marks(Set<Entry.Place> here, Set<Entry.Place> publisher, Set<Entry.Place> published) {
        String ofOurs(Entry entry) {
            Mark mark = publisher.contains(entry.place())
                    ? Mark.OVERRULES
                    : published.contains(entry.place()) ? Mark.PUBLISHED : Mark.HERE;
            return mark.label();
        }

        String ofTheirs(Entry entry) {
            return (here.contains(entry.place()) ? Mark.OVERRULED : Mark.PUBLISHER).label();
        }
    }
}
