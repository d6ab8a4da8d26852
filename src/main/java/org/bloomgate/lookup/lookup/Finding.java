package org.bloomgate.lookup.lookup;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.bloomgate.core.key.Identifier;

/// An identifier about which there is something to say.
///
/// @param position of the identifier in its batch
/// @param found what the layers say, whatever exceptions there are; never clean
/// @param exceptions that cover the identifier, the narrowest first
public record Finding(int position, Identifier identifier, Verdict found, List<ListingException> exceptions) {
    private static final String NOBODY = "";

    public Finding {
        exceptions = List.copyOf(exceptions);
    }

    /// A finding that no exception covers.
    public Finding(int position, Identifier identifier, Verdict verdict) {
        this(position, identifier, verdict, List.of());
    }

    /// A statement that an exception overrides.
    ///
    /// @param listing empty when the exact tier could not say who lists it
    public record Overridden(Optional<Listing> listing, ListingException by) {}

    /// The verdict after the exceptions that hold for everybody: clean when nothing is left.
    public Verdict verdict() {
        return verdictFor(NOBODY);
    }

    /// The verdict for a recipient at this domain, lower-case.
    public Verdict verdictFor(String recipientDomain) {
        if (exceptions.isEmpty()) {
            return found;
        }
        List<ListingException> held =
                exceptions.stream().filter(one -> one.holdsFor(recipientDomain)).toList();
        return switch (found) {
            case Verdict.Clean clean -> clean;
            case Verdict.Unresolved unresolved ->
                held.stream().anyMatch(ListingException::whoeverLists) ? new Verdict.Clean() : unresolved;
            case Verdict.Listed listed -> left(listed, held);
        };
    }

    private static Verdict left(Verdict.Listed listed, List<ListingException> held) {
        List<Listing> left = listed.listings().stream()
                .filter(listing -> held.stream().noneMatch(one -> one.overrides(listing)))
                .toList();
        return left.isEmpty() ? new Verdict.Clean() : new Verdict.Listed(left);
    }

    /// The overridden listings, for everyone or for the recipients of a domain, and the exceptions that
    /// override them.
    public List<Overridden> overridden() {
        return switch (found) {
            case Verdict.Clean clean -> List.of();
            case Verdict.Unresolved unresolved ->
                exceptions.stream()
                        .filter(ListingException::whoeverLists)
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

    /// The exceptions that keep something of it from counting: those for everybody, or with a domain,
    /// lower-case, those for its recipients alone.
    public Stream<ListingException> met(String recipientDomain) {
        return exceptions.isEmpty()
                ? Stream.empty()
                : overridden().stream()
                        .map(Overridden::by)
                        .filter(by -> by.holdsFor(recipientDomain) && by.forEverybody() == recipientDomain.isEmpty());
    }

    /// An exception for everybody makes those for some recipients needless.
    private Stream<Overridden> overridden(Listing listing) {
        List<Overridden> by = exceptions.stream()
                .filter(one -> one.overrides(listing))
                .map(one -> new Overridden(Optional.of(listing), one))
                .toList();
        Optional<Overridden> general =
                by.stream().filter(one -> one.by().forEverybody()).findFirst();
        return general.map(Stream::of).orElseGet(by::stream);
    }
}
