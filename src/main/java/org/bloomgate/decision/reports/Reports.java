package org.bloomgate.decision.reports;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.base.audit.AuditEvent;
import org.bloomgate.base.audit.AuditLog;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.Match;
import org.bloomgate.decision.reports.Report.State;
import org.bloomgate.lookup.local.EntryParser;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.local.EntryText;
import org.bloomgate.lookup.local.ListingGates;
import org.bloomgate.lookup.local.ListingPreview;
import org.bloomgate.lookup.tier.Entry;

/// Decisions about reports: the same for a command, the API and the page. Thread-safe.
///
/// @param gates of listings
public record Reports(ReportStore store, ListingGates gates, AuditLog auditLog) {

    /// Returns what a listing of each identifier of a report would do, in their order. Reads the key journal once.
    public List<ListingPreview> preview(Report report, Instant now) throws IOException {
        return gatesOf(report)
                .preview(report.message().identifiers().stream()
                        .map(identifier -> entry(identifier.key(), now))
                        .toList());
    }

    static Entry entry(Key key, Instant now) {
        Entry.Terms terms = new Entry.Terms("", "reports", now, Optional.empty(), Optional.empty(), true);
        return new Entry(Entry.Type.LISTING, key, Match.SUFFIX, Entry.Scope.EVERYTHING, terms);
    }

    /// Checks that a listing is of an identifier of the report.
    ///
    /// @throws EntryRefusedException if it is not
    public void requireNamed(Report report, EntryText listing) throws EntryRefusedException {
        Key key = EntryParser.key(listing);
        if (report.message().identifiers().stream()
                .noneMatch(identifier -> identifier.key().equals(key))) {
            throw new EntryRefusedException(
                    "the report does not name this " + key.kind().label());
        }
    }

    /// Records a decision of an operator or of [AutomaticListing].
    ///
    /// @return the changed report; empty if there is none
    public Optional<Report> decide(Actor by, String id, State state, Instant now) throws IOException {
        Optional<Report> known = store.find(id);
        if (known.isEmpty()) {
            return known;
        }
        auditLog.record(List.of(AuditEvent.of(
                now, by, AuditEvent.What.REPORT_DECIDE, known.get().id(), Map.of("state", state.label()))));
        return store.change(id, report -> report.with(new Report.Outcome(state, by.who(), now)));
    }

    /// The gates of listings, with what the reader of the report objects to.
    public ListingGates gatesOf(Report report) {
        return new ListingGates() {
            @Override
            public List<ListingPreview> preview(List<Entry> listings) throws IOException {
                List<ListingPreview> previews = new ArrayList<>();
                for (ListingPreview preview : gates.preview(listings)) {
                    Entry listing = listings.get(previews.size());
                    previews.add(new ListingPreview(
                            preview.listing(),
                            preview.scope(),
                            preview.effect(),
                            preview.mail(),
                            add(listing, preview.objections())));
                }
                return previews;
            }

            @Override
            public List<String> objections(Entry listing) throws IOException {
                return add(listing, gates.objections(listing));
            }

            @Override
            public Set<String> feeds() throws IOException {
                return gates.feeds();
            }

            private List<String> add(Entry listing, List<String> ofGates) {
                Stream<String> own = report.message().identifiers().stream()
                        .filter(identifier -> identifier.key().equals(listing.key()))
                        .flatMap(identifier -> identifier.objection().stream());
                return Stream.concat(own, ofGates.stream()).toList();
            }
        };
    }
}
