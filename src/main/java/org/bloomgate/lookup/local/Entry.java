package org.bloomgate.lookup.local;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.base.audit.AuditEvent;
import org.bloomgate.base.audit.AuditEvent.What;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.lookup.tier.EntryOrigin;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.ListingException;
import org.bloomgate.lookup.tier.ListingSource;
import org.bloomgate.lookup.tier.LocalRules;

/// A value that an operator lists, or lets through.
///
/// @param scope of an exception; of a listing its category alone
/// @param reason in the operator's words; may be empty
/// @param until when it ends; empty for never
/// @param error token of the decision that an exception takes back: a confirmed error of the feed in its scope. Empty
///     for one that says nothing of the feed
/// @param authenticated false for an exception that counts for mail that only claims its sender
public record Entry(
        Type type,
        Key key,
        Match match,
        ListingException.Scope scope,
        String reason,
        String author,
        Instant added,
        Optional<Instant> until,
        Optional<String> error,
        boolean authenticated) {

    /// The two of them.
    public enum Type {
        LISTING,
        EXCEPTION;

        public String label() {
            return TextForms.lowerCase(name());
        }
    }

    /// @param at whose operators list it
    Listing listing(EntryOrigin at) {
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
                new ListingSource.Operators(at));
    }

    /// @param at whose operators let it through
    ListingException exception(EntryOrigin at) {
        return new ListingException(key, match, scope, reason, author, added, until, at, authenticated);
    }

    /// The slot of an entry: there is one listing for each key, and one exception for each key and scope.
    record Place(Type type, Key key, ListingException.Scope scope) {}

    Place place() {
        return new Place(type, key, type == Type.LISTING ? ListingException.Scope.EVERYTHING : scope);
    }

    boolean replaces(Entry other) {
        return place().equals(other.place());
    }

    /// This exception of what a decision was wrong about.
    public Entry takingBack(String token) {
        return new Entry(type, key, match, scope, reason, author, added, until, Optional.of(token), authenticated);
    }

    /// The audit event of the change.
    AuditEvent event(Actor by, boolean added, Instant now) {
        EntryLine line = EntryLine.shown(this);
        What what = switch (type) {
            case LISTING -> added ? What.LISTING_ADD : What.LISTING_REMOVE;
            case EXCEPTION -> added ? What.EXCEPTION_ADD : What.EXCEPTION_REMOVE;
        };
        return AuditEvent.of(now, by, what, line.value(), line.terms());
    }

    boolean ended(Instant now) {
        return until.filter(end -> !end.isAfter(now)).isPresent();
    }
}
