package org.bloomgate.lookup.tier;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.bloomgate.core.key.Identifier;

/// An identifier that is listed or unresolved.
///
/// @param position of the identifier in its batch
/// @param found the verdict of the layers before exceptions; never clean
/// @param exceptions that cover the identifier, the narrowest first
public record Finding(int position, Identifier identifier, Verdict found, List<ListingException> exceptions) {
    private static final String NO_RECIPIENT = "";

    public Finding {
        exceptions = List.copyOf(exceptions);
    }

    /// A finding that no exception covers.
    public Finding(int position, Identifier identifier, Verdict verdict) {
        this(position, identifier, verdict, List.of());
    }

    /// A listing that an exception overrides.
    ///
    /// @param listing empty if the exact tier could not be looked up
    public record Overridden(Optional<Listing> listing, ListingException by) {}

    /// The verdict after the exceptions for all recipients: clean if no listing is left.
    public Verdict verdict() {
        return verdictFor(NO_RECIPIENT);
    }

    /// The verdict for a recipient at this domain, lower-case.
    public Verdict verdictFor(String recipientDomain) {
        if (exceptions.isEmpty()) {
            return found;
        }
        List<ListingException> applicable = exceptions.stream()
                .filter(exception -> exception.scope().includesRecipientsAt(recipientDomain))
                .toList();
        return switch (found) {
            case Verdict.Clean clean -> clean;
            case Verdict.Unresolved unresolved ->
                applicable.stream().anyMatch(exception -> exception.scope().includesAllListings())
                        ? new Verdict.Clean()
                        : unresolved;
            case Verdict.Listed listed -> remaining(listed, applicable);
        };
    }

    private static Verdict remaining(Verdict.Listed listed, List<ListingException> applicable) {
        List<Listing> remaining = listed.listings().stream()
                .filter(listing -> applicable.stream().noneMatch(exception -> exception.overrides(listing)))
                .toList();
        return remaining.isEmpty() ? new Verdict.Clean() : new Verdict.Listed(remaining);
    }

    /// The overridden listings, for everyone or for the recipients of a domain, and the exceptions that
    /// override them.
    public List<Overridden> overridden() {
        return switch (found) {
            case Verdict.Clean clean -> List.of();
            case Verdict.Unresolved unresolved ->
                exceptions.stream()
                        .filter(exception -> exception.scope().includesAllListings())
                        .map(by -> new Overridden(Optional.empty(), by))
                        .toList();
            case Verdict.Listed listed ->
                listed.listings().stream().flatMap(this::overridden).toList();
        };
    }

    /// The same with only some of the exceptions.
    public Finding excepting(Predicate<ListingException> counting) {
        return exceptions.stream().allMatch(counting)
                ? this
                : new Finding(
                        position,
                        identifier,
                        found,
                        exceptions.stream().filter(counting).toList());
    }

    /// The exceptions that override a listing of this finding: those for all recipients if the domain is empty,
    /// otherwise only those for recipients at this domain, lower-case.
    public Stream<ListingException> hitExceptions(String recipientDomain) {
        return exceptions.isEmpty()
                ? Stream.empty()
                : overridden().stream()
                        .map(Overridden::by)
                        .filter(by -> by.scope().includesRecipientsAt(recipientDomain)
                                && by.scope().includesAllRecipients() == recipientDomain.isEmpty());
    }

    /// An exception for all recipients makes those for some recipients redundant.
    private Stream<Overridden> overridden(Listing listing) {
        List<Overridden> by = exceptions.stream()
                .filter(exception -> exception.overrides(listing))
                .map(exception -> new Overridden(Optional.of(listing), exception))
                .toList();
        Optional<Overridden> general = by.stream()
                .filter(overridden -> overridden.by().scope().includesAllRecipients())
                .findFirst();
        return general.map(Stream::of).orElseGet(by::stream);
    }
}
