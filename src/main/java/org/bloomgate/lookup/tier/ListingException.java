package org.bloomgate.lookup.tier;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.Match;

/// An operator's exception: listings of a value do not count. It covers the identifiers that a listing of its
/// key would cover, and takes precedence over every listing in its scope, including local ones.
///
/// @param reason in the operator's words; may be empty
/// @param author who made it
/// @param until when it ends; empty for never
/// @param at origin; an exception of a publisher does not apply to entries made here
/// @param authenticated whether an exception of a sender counts only in mail whose sender is authenticated
public record ListingException(
        Key key,
        Match match,
        Scope scope,
        String reason,
        String author,
        Instant added,
        Optional<Instant> until,
        EntryOrigin at,
        boolean authenticated) {

    /// An exception made at this machine.
    public ListingException(
            Key key, Match match, Scope scope, String reason, String author, Instant added, Optional<Instant> until) {
        this(key, match, scope, reason, author, added, until, EntryOrigin.HERE, true);
    }

    /// The order in which the exception to be named is chosen; any one of them suffices to override a listing.
    public static final Comparator<ListingException> NARROWEST_FIRST = Comparator.<ListingException>comparingInt(
                    one -> -one.scope.parts())
            .thenComparing(one -> one.match)
            .thenComparingInt(one -> -one.key.text().length())
            .thenComparing(one -> one.key.text())
            .thenComparing(one -> one.scope.toString());

    /// The listings, recipients and senders that an exception is limited to; an empty part does not limit it.
    ///
    /// @param feed that lists it, `local` for what operators list
    /// @param recipientDomain canonical name of the one domain whose recipients get the mail
    /// @param sender canonical mailbox of the reverse-path, or a domain whose mailboxes and those below it are
    ///     meant
    public record Scope(
            Optional<String> feed,
            Optional<String> category,
            Optional<String> recipientDomain,
            Optional<String> sender) {
        public static final Scope EVERYTHING = new Scope(Optional.empty(), Optional.empty(), Optional.empty());

        /// In mail of any sender.
        public Scope(Optional<String> feed, Optional<String> category, Optional<String> recipientDomain) {
            this(feed, category, recipientDomain, Optional.empty());
        }

        /// Whether this scope includes the whole other scope.
        public boolean includes(Scope other) {
            return includes(feed, other.feed)
                    && includes(category, other.category)
                    && includes(recipientDomain, other.recipientDomain)
                    && includes(sender, other.sender);
        }

        private static boolean includes(Optional<String> part, Optional<String> other) {
            return part.isEmpty() || part.equals(other);
        }

        private int parts() {
            return (int) Stream.of(feed, category, recipientDomain, sender)
                    .filter(Optional::isPresent)
                    .count();
        }
    }

    public boolean forEverybody() {
        return scope.recipientDomain.isEmpty();
    }

    /// Whether mail to a recipient at this domain is in scope; without a recipient, only if the exception is for all
    /// recipients.
    ///
    /// @param domain lower-case; empty if there is no recipient
    public boolean holdsFor(String domain) {
        return forEverybody() || scope.recipientDomain.get().equals(domain);
    }

    /// True if it applies to every sender, and where there is no sender.
    public boolean fromAnybody() {
        return scope.sender.isEmpty();
    }

    /// Whether mail of this sender is in scope. The null reverse-path is in no scope with a sender.
    ///
    /// @param mailbox canonical; empty if there is none
    public boolean holdsFrom(String mailbox) {
        return fromAnybody()
                || mailbox.equals(scope.sender.get())
                || below(mailbox.substring(mailbox.lastIndexOf('@') + 1), scope.sender.get());
    }

    /// Whether it counts only in mail whose sender is authenticated.
    public boolean needsProof() {
        return authenticated && !fromAnybody();
    }

    /// True if key and sender are the same: the exception is for all listings in mail of that sender.
    public boolean ofWholeMail() {
        return scope.sender.filter(key.text()::equals).isPresent();
    }

    /// True if the exception applies to every feed, so that the value need not be looked up.
    public boolean whoeverLists() {
        return scope.feed.isEmpty() && scope.category.isEmpty();
    }

    /// Whether this listing, of an identifier that is covered, is in scope. Of a rewritten sender, which
    /// has keys of two addresses, an exception of the one says nothing about listings of the other.
    public boolean overrides(Listing listing) {
        return (at == EntryOrigin.HERE || !listing.source().equals(new ListingSource.Operators(EntryOrigin.HERE)))
                && scope.feed.map(listing.feed()::equals).orElse(true)
                && scope.category.map(listing.category()::equals).orElse(true)
                && (ofWholeMail() || related(key, listing.key()));
    }

    private static boolean related(Key one, Key other) {
        if (one.kind().rules().hasRanges() && other.kind() == one.kind()) {
            return AddressBlock.parse(one.text()).meets(AddressBlock.parse(other.text()));
        }
        Optional<String> host = host(one);
        Optional<String> otherHost = host(other);
        return (host.isPresent() && otherHost.isPresent())
                ? below(host.get(), otherHost.get()) || below(otherHost.get(), host.get())
                : one.equals(other);
    }

    private static boolean below(String name, String parent) {
        return name.equals(parent) || name.endsWith("." + parent);
    }

    private static Optional<String> host(Key key) {
        return key.kind().rules().host(key.text());
    }

    /// Key, scope, author, time, reason and end in one line, for a reader. A password's digest is not shown.
    public String text() {
        List<String> parts = new ArrayList<>();
        parts.add("exception of " + key.kind().label() + (key.kind().rules().isSecret() ? "" : " " + key.text()));
        parts.add("match " + match.label());
        scope.feed.ifPresent(feed -> parts.add("feed " + feed));
        scope.category.ifPresent(category -> parts.add("category " + category));
        scope.recipientDomain.ifPresent(domain -> parts.add("recipients at " + domain));
        scope.sender.ifPresent(sender -> parts.add("mail of " + sender + (authenticated ? "" : ", unauthenticated")));
        parts.add("by " + author + " at " + added.truncatedTo(ChronoUnit.SECONDS));
        if (!reason.isEmpty()) {
            parts.add("because: " + reason);
        }
        parts.add(until.map(end -> "until " + end).orElse("without end"));
        return String.join(", ", parts);
    }
}
