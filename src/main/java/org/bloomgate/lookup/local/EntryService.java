package org.bloomgate.lookup.local;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.PhoneNumbers;
import org.bloomgate.lookup.local.EntryText.Field;
import org.bloomgate.lookup.tier.Entry;

/// Adds and removes local entries. The rules are the same for a command, the API and the quarantine: a listing passes
/// the gates of feeds unless it is forced, and a feed that an operator names for an exception exists. A change is on
/// disk when a method returns. Thread-safe if the store is.
public final class EntryService {
    /// The entries to change: [LocalFile], or [LiveEntries] of a running gateway.
    @FunctionalInterface
    public interface Store {
        LocalFile.Changed change(Actor by, LocalFile.Change change) throws IOException, EntryRefusedException;
    }

    private final Store store;
    private final Supplier<PhoneNumbers> phones;
    private final InstantSource clock;

    /// @param phones adds the country code to a phone number of the configured regions
    public EntryService(Store store, Supplier<PhoneNumbers> phones, InstantSource clock) {
        this.store = store;
        this.phones = phones;
        this.clock = clock;
    }

    /// The result of adding a listing.
    ///
    /// @param entries the new listing; empty if there are objections and it was not forced
    public record Added(List<Entry> entries, ListingPreview preview) {}

    /// The listing that decided a message wrongly.
    ///
    /// @param token of the decision
    /// @param recipientDomains domains of the recipients; empty for all recipients
    public record WrongListing(String token, Key key, String feed, List<String> recipientDomains) {
        public WrongListing {
            recipientDomains = List.copyOf(recipientDomains);
        }
    }

    /// What a listing would do if it were added.
    public ListingPreview preview(EntryText text, ListingGates gates) throws IOException, EntryRefusedException {
        return gates.preview(parse(Entry.Type.LISTING, text));
    }

    /// Adds a listing.
    ///
    /// @param force adds it although there are objections
    public Added addListing(Actor by, EntryText text, boolean force, ListingGates gates)
            throws IOException, EntryRefusedException {
        Entry listing = parse(Entry.Type.LISTING, text);
        ListingPreview preview = gates.preview(listing);
        boolean allowed = preview.objections().isEmpty() || force;
        return new Added(allowed ? add(by, List.of(listing)) : List.of(), preview);
    }

    /// Adds a listing whose objections the caller has checked.
    public List<Entry> addChecked(Actor by, EntryText text) throws IOException, EntryRefusedException {
        return add(by, List.of(parse(Entry.Type.LISTING, text)));
    }

    /// Adds an exception.
    public List<Entry> addException(Actor by, EntryText text, ListingGates gates)
            throws IOException, EntryRefusedException {
        Entry exception = parse(Entry.Type.EXCEPTION, text);
        gates.requireKnownFeed(exception);
        return add(by, List.of(exception));
    }

    private Entry parse(Entry.Type type, EntryText text) throws EntryRefusedException {
        return EntryParser.parse(text.withCountryCode(phones.get()), type, clock.instant());
    }

    /// Adds exceptions of a wrong listing, one for each recipient domain. They count as an error of the feed, which is
    /// that of the decision and may be gone since.
    ///
    /// @param terms match, reason, expiry and author of the exceptions; its other fields are not used
    public List<Entry> takeBack(Actor by, WrongListing wrong, EntryText terms)
            throws IOException, EntryRefusedException {
        String reason = terms.find(Field.REASON).orElse("false positive") + ", mail " + wrong.token();
        EntryText text = EntryText.ofTerms(reason, terms.get(Field.EXPIRES), terms.get(Field.AUTHOR))
                .with(Field.MATCH, terms.get(Field.MATCH))
                .with(Field.KIND, wrong.key().kind().label())
                .with(Field.VALUE, wrong.key().text())
                .with(Field.FEED, wrong.feed());
        List<Entry> exceptions = new ArrayList<>();
        for (String domain : wrong.recipientDomains().isEmpty() ? List.of("") : wrong.recipientDomains()) {
            EntryText ofDomain = text.with(Field.RECIPIENT_DOMAIN, domain);
            exceptions.add(EntryParser.parse(ofDomain, Entry.Type.EXCEPTION, clock.instant())
                    .takingBack(wrong.token()));
        }
        return add(by, exceptions);
    }

    private List<Entry> add(Actor by, List<Entry> added) throws IOException, EntryRefusedException {
        store.change(by, entries -> {
            LocalEntries more = entries;
            for (Entry entry : added) {
                more = more.with(entry);
            }
            return more;
        });
        return added;
    }

    /// Removes the listing of a value, or the exceptions whose scope has every part that the text names.
    ///
    /// @return the removed entries; none if there was no such entry
    public List<Entry> remove(Actor by, Entry.Type type, EntryText text) throws IOException, EntryRefusedException {
        EntryText selection = text.withCountryCode(phones.get());
        LocalFile.Changed changed = store.change(by, entries -> entries.without(type, selection));
        List<Entry> removed = new ArrayList<>(changed.before().of(type));
        removed.removeAll(changed.after().of(type));
        return removed;
    }
}
