package org.bloomgate.lookup.local;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.tier.Entry;

/// What a listing is and what it would do, before it is added: the command, the API and the page show the same.
///
/// @param listing in its canonical form
/// @param scope what it applies to, in words
/// @param effect what it would have done to recent mail, and the threshold, in words
/// @param mail the same as numbers
/// @param objections reasons why it is added only if it is confirmed; empty if it need not be
public record ListingPreview(
        EntryText listing, String scope, String effect, RecentMailShare mail, List<String> objections) {

    /// The part of the recently delivered mail that contains the value.
    ///
    /// @param days that the records are searched for
    /// @param delivered messages in the records of that time; 0 if there are none
    /// @param stopped those of them that the listing would have stopped
    /// @param confirmFrom the number of stopped messages from which on a listing must be confirmed
    /// @param complete false if some records cannot be read, so that there may be more
    /// @param examples tokens of stopped messages
    public record RecentMailShare(
            long days, long delivered, long stopped, long confirmFrom, boolean complete, List<String> examples) {
        public RecentMailShare {
            examples = List.copyOf(examples);
        }

        private String text() {
            if (delivered == 0) {
                return "unknown which messages it would stop: none of the last " + days
                        + " days is recorded on this machine";
            }
            return String.format(
                    Locale.ROOT,
                    "it would have stopped %s%,d of %,d messages delivered in the last %d days%s; from %,d on it must be"
                            + " confirmed",
                    complete ? "" : "at least ",
                    stopped,
                    delivered,
                    days,
                    examples.isEmpty() ? "" : ": " + String.join(", ", examples),
                    confirmFrom);
        }
    }

    public ListingPreview {
        objections = List.copyOf(objections);
    }

    /// @param objections to the value
    public static ListingPreview of(Entry listing, List<String> objections, RecentMailShare mail) {
        List<String> all = new ArrayList<>(objections);
        if (mail.stopped() >= mail.confirmFrom()) {
            all.add("it would have stopped " + mail.confirmFrom() + " messages or more");
        }
        return new ListingPreview(EntryText.masked(listing), scope(listing), mail.text(), mail, all);
    }

    private static String scope(Entry listing) {
        KeyKind kind = listing.key().kind();
        String value = EntryText.masked(listing).get(EntryText.Field.VALUE);
        String reach = kind.rules().hasRanges()
                ? "every address in " + value
                : switch (listing.match()) {
                    case EXACT -> value + " alone";
                    case BELOW -> "everything below " + value + ", not " + value + " itself";
                    case SUFFIX ->
                        kind == KeyKind.DOMAIN || kind == KeyKind.URL ? value + " and everything below it" : value;
                };
        return kind.label() + " " + reach
                + (kind.rules().isSecret() ? "" : ", wherever a message contains it, for all recipients")
                + listing.terms()
                        .until()
                        .map(until -> ", until " + until.truncatedTo(ChronoUnit.SECONDS))
                        .orElse(", without end");
    }
}
