package org.bloomgate.lists.format;

import java.util.List;
import java.util.Optional;
import org.bloomgate.core.text.TextForms;

/// The origin of the names in a zone file (RFC 1035, 5.1), and the name of the zone, which is removed from
/// them. The name of the zone is the owner of its SOA record, or else the first `$ORIGIN`.
///
/// Names are in lower case and have no final dot; the root is the empty one.
final class ZoneOrigin {
    private Optional<String> zone = Optional.empty();
    private Optional<String> origin = Optional.empty();
    private boolean hasApex;

    /// @param words of a line that begins with `$`
    void directive(List<String> words) {
        if (words.size() < 2 || !words.getFirst().equalsIgnoreCase("$ORIGIN")) {
            return;
        }
        String name = absolute(TextForms.lowerCase(words.get(1)));
        origin = Optional.of(name);
        if (zone.isEmpty() && !name.isEmpty()) {
            zone = origin;
        }
    }

    /// @param owner of an SOA record; the first counts
    void apex(String owner) {
        if (!hasApex && (origin.isPresent() || owner.endsWith("."))) {
            zone = Optional.of(absolute(owner));
        }
        hasApex = true;
    }

    /// The name without that of the zone; empty when it is not below the zone.
    Optional<String> withinZone(String owner) {
        if (origin.isEmpty() && !owner.endsWith(".")) {
            return Optional.of(owner);
        }
        String name = absolute(owner);
        return zone.filter(apex -> name.endsWith('.' + apex))
                .map(apex -> name.substring(0, name.length() - apex.length() - 1));
    }

    private String absolute(String name) {
        String above = origin.orElse("");
        if (name.equals("@")) {
            return above;
        }
        if (name.endsWith(".")) {
            return name.substring(0, name.length() - 1);
        }
        return above.isEmpty() ? name : name + '.' + above;
    }
}
