package org.bloomgate.lookup.tier;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.Match;
import org.bloomgate.lookup.tier.Entry.Scope;
import org.bloomgate.lookup.tier.Entry.Terms;

/// An operator's exception: listings of a value do not count. It covers the identifiers that a listing of its
/// key would cover, and takes precedence over every listing in its scope, including local ones.
///
/// @param origin of the entry; an exception of a publisher does not apply to entries made here
public record ListingException(Entry entry, EntryOrigin origin) {

    /// The order in which the exception to be named is chosen; any one of them suffices to override a listing.
    public static final Comparator<ListingException> NARROWEST_FIRST = Comparator.<ListingException>comparingInt(
                    exception -> -exception.scope().parts())
            .thenComparing(ListingException::match)
            .thenComparingInt(exception -> -exception.key().text().length())
            .thenComparing(exception -> exception.key().text())
            .thenComparing(exception -> exception.scope().toString());

    public Key key() {
        return entry.key();
    }

    public Match match() {
        return entry.match();
    }

    public Scope scope() {
        return entry.scope();
    }

    /// Whether it counts only in mail whose sender is authenticated.
    public boolean needsProof() {
        return entry.terms().authenticated() && !scope().includesAllSenders();
    }

    /// Whether this exception covers the listing, of an identifier that its key applies to.
    public boolean overrides(Listing listing) {
        boolean listedHere = listing.source() instanceof ListingSource.Operators by && by.origin() == EntryOrigin.HERE;
        return (origin == EntryOrigin.HERE || !listedHere) && scope().covers(key(), listing);
    }

    /// Key, scope, author, time, reason and end in one line, for a reader. A password's digest is not shown.
    public String text() {
        Terms terms = entry.terms();
        List<String> parts = new ArrayList<>();
        parts.add("exception of " + key().kind().label() + (key().kind().rules().isSecret() ? "" : " " + key().text()));
        parts.add("match " + match().label());
        scope().feed().ifPresent(feed -> parts.add("feed " + feed));
        scope().category().ifPresent(category -> parts.add("category " + category));
        scope().recipientDomain().ifPresent(domain -> parts.add("recipients at " + domain));
        scope().sender()
                .ifPresent(
                        sender -> parts.add("mail of " + sender + (terms.authenticated() ? "" : ", unauthenticated")));
        parts.add("by " + terms.author() + " at " + terms.added().truncatedTo(ChronoUnit.SECONDS));
        if (!terms.reason().isEmpty()) {
            parts.add("because: " + terms.reason());
        }
        parts.add(terms.until().map(end -> "until " + end).orElse("without end"));
        return String.join(", ", parts);
    }
}
