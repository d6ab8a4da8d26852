package org.bloomgate.lookup.tier;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.base.config.Labelled;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;

/// A value that an operator lists, or whose listings must not count.
///
/// @param scope of an exception; of a listing its category alone
public record Entry(Type type, Key key, Match match, Scope scope, Terms terms) {

    /// Whether the value is listed or excepted.
    public enum Type implements Labelled {
        LISTING,
        EXCEPTION
    }

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

        /// Whether an exception of the key with this scope covers a listing of an identifier that the key
        /// applies to. A rewritten sender has keys of two addresses: an exception of one does not cover
        /// listings of the other.
        public boolean covers(Key key, Listing listing) {
            return feed.map(listing.feed()::equals).orElse(true)
                    && category.map(listing.category()::equals).orElse(true)
                    && (coversWholeMessages(key) || related(key, listing.key()));
        }

        /// True if key and sender are the same: an exception of every listing in messages of the sender.
        public boolean coversWholeMessages(Key key) {
            return sender.filter(key.text()::equals).isPresent();
        }

        /// True if the scope has no feed and no category, so that an excepted value need not be looked up.
        public boolean includesAllListings() {
            return feed.isEmpty() && category.isEmpty();
        }

        public boolean includesAllRecipients() {
            return recipientDomain.isEmpty();
        }

        /// Whether recipients at this domain are in the scope; without a recipient, only if all recipients are.
        ///
        /// @param domain lower-case; empty if there is no recipient
        public boolean includesRecipientsAt(String domain) {
            return includesAllRecipients() || recipientDomain.get().equals(domain);
        }

        public boolean includesAllSenders() {
            return sender.isEmpty();
        }

        /// Whether mail of this sender is in the scope. The null reverse-path is in no scope with a sender.
        ///
        /// @param mailbox canonical; empty if there is none
        public boolean includesSender(String mailbox) {
            return includesAllSenders()
                    || mailbox.equals(sender.get())
                    || isWithin(MailAddress.domainOf(mailbox), sender.get());
        }

        /// The number of parts that limit the scope.
        int parts() {
            return (int) Stream.of(feed, category, recipientDomain, sender)
                    .filter(Optional::isPresent)
                    .count();
        }

        private static boolean related(Key key, Key other) {
            if (key.kind().rules().hasRanges() && other.kind() == key.kind()) {
                return AddressBlock.parse(key.text()).meets(AddressBlock.parse(other.text()));
            }
            Optional<String> host = host(key);
            Optional<String> otherHost = host(other);
            return (host.isPresent() && otherHost.isPresent())
                    ? isWithin(host.get(), otherHost.get()) || isWithin(otherHost.get(), host.get())
                    : key.equals(other);
        }

        private static boolean isWithin(String name, String domain) {
            return name.equals(domain) || name.endsWith("." + domain);
        }

        private static Optional<String> host(Key key) {
            return key.kind().rules().host(key.text());
        }
    }

    /// Who made an entry and why, and how long it applies.
    ///
    /// @param reason in the operator's words; may be empty
    /// @param until when it ends; empty for never
    /// @param error token of the decision that an exception takes back: a confirmed error of the feed in its
    ///     scope. Empty for an exception that says nothing about the feed
    /// @param authenticated false for an exception that counts for mail that only claims its sender
    /// @param action the hardest that a listing causes; empty if its place decides
    public record Terms(
            String reason,
            String author,
            Instant added,
            Optional<Instant> until,
            Optional<String> error,
            boolean authenticated,
            Optional<Action> action) {

        /// Terms without a hardest action.
        public Terms(
                String reason,
                String author,
                Instant added,
                Optional<Instant> until,
                Optional<String> error,
                boolean authenticated) {
            this(reason, author, added, until, error, authenticated, Optional.empty());
        }

        /// Whether these terms end no later than the others.
        private boolean endWith(Terms other) {
            return other.until.isEmpty()
                    || until.filter(end -> !end.isAfter(other.until.get())).isPresent();
        }
    }

    /// What a lookup finds of this listing.
    public Listing listing(EntryOrigin origin) {
        Instant seen = terms.added().truncatedTo(ChronoUnit.SECONDS);
        return new Listing(
                LocalRules.LAYER,
                scope.category().orElse(LocalRules.LAYER),
                key,
                match,
                Set.of(Use.values()),
                seen,
                seen,
                0,
                new ListingSource.Operators(origin, terms.action()));
    }

    /// This exception with the token of the decision that it takes back.
    public Entry takingBack(String token) {
        Terms marked = new Terms(
                terms.reason(),
                terms.author(),
                terms.added(),
                terms.until(),
                Optional.of(token),
                terms.authenticated());
        return new Entry(type, key, match, scope, marked);
    }

    /// What identifies an entry: there is one listing for each key, and one exception for each key and scope.
    public record Place(Type type, Key key, Scope scope) {}

    public Place place() {
        return new Place(type, key, type == Type.LISTING ? Scope.EVERYTHING : scope);
    }

    /// True if the other exception does nothing that this one does not do, now and later.
    public boolean covers(Entry other) {
        boolean samePlace = key.equals(other.key) && !key.kind().rules().hasRanges();
        return (samePlace ? match.includes(other.match) : match.reaches(key, false))
                && other.terms.endWith(terms)
                && scope.coversWholeMessages(key) == other.scope.coversWholeMessages(other.key)
                && scope.includes(other.scope);
    }

    /// Whether the entry has ended at this time.
    public boolean hasEnded(Instant now) {
        return terms.until().filter(end -> !end.isAfter(now)).isPresent();
    }
}
