package org.bloomgate.lookup.local;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.base.audit.Deed;
import org.bloomgate.base.audit.Deed.What;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.lookup.Exemption;
import org.bloomgate.lookup.lookup.Listing;
import org.bloomgate.lookup.lookup.LocalRules;
import org.bloomgate.lookup.lookup.SaidAt;
import org.bloomgate.lookup.lookup.Standing;

/// A value that an operator lists, or lets through.
///
/// @param scope of an exception; of a listing its category alone
/// @param reason in the operator's words; may be empty
/// @param until when it ends; empty for never
/// @param error token of the decision that an exception takes back: a confirmed error of the feed in its scope. Empty
///     for one that says nothing of the feed
public record Entry(
        Type type,
        Key key,
        Match match,
        Exemption.Scope scope,
        String reason,
        String author,
        Instant added,
        Optional<Instant> until,
        Optional<String> error) {

    /// The two of them.
    public enum Type {
        LISTING,
        EXCEPTION;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// @param at whose operators list it
    Listing listing(SaidAt at) {
        Instant seen = added.truncatedTo(ChronoUnit.SECONDS);
        String category = scope.category().orElse(LocalRules.LAYER);
        return new Listing(
                LocalRules.LAYER,
                category,
                key,
                match,
                Set.of(Use.values()),
                seen,
                seen,
                0,
                new Standing.Operators(at));
    }

    /// @param at whose operators let it through
    Exemption exemption(SaidAt at) {
        return new Exemption(key, match, scope, reason, author, added, until, at);
    }

    /// What there is room for one of: listings of one key, exceptions of one key and scope.
    record Place(Type type, Key key, Exemption.Scope scope) {}

    Place place() {
        return new Place(type, key, type == Type.LISTING ? Exemption.Scope.EVERYTHING : scope);
    }

    boolean replaces(Entry other) {
        return place().equals(other.place());
    }

    /// This exception of what a decision was wrong about.
    public Entry takingBack(String token) {
        return new Entry(type, key, match, scope, reason, author, added, until, Optional.of(token));
    }

    /// What the trail keeps of it.
    Deed deed(Actor by, boolean added, Instant now) {
        EntryLine line = EntryLine.shown(this);
        What what = switch (type) {
            case LISTING -> added ? What.LISTING_ADD : What.LISTING_REMOVE;
            case EXCEPTION -> added ? What.EXCEPTION_ADD : What.EXCEPTION_REMOVE;
        };
        return Deed.of(now, by, what, line.value(), line.terms());
    }

    boolean ended(Instant now) {
        return until.filter(end -> !end.isAfter(now)).isPresent();
    }
}
