package org.bloomgate.lookup.dnsbl;

import java.util.ArrayList;
import java.util.List;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.Listing;

/// The answer about one key, from listings that need no confirmation and the answers of zones about the others.
final class ConfirmedKey {
    private final List<Listing> listed;
    private final List<Listing> doubtful = new ArrayList<>();
    private String reason = "";

    /// @param others of feeds that need no confirmation
    ConfirmedKey(List<Listing> others) {
        listed = new ArrayList<>(others);
    }

    void add(ZoneQuery query, ZoneQuery.Answer answer) {
        Listing listing = query.listing();
        switch (answer) {
            case ZoneQuery.Answer.Listed confirmed ->
                confirmed.categories().forEach(category -> listed.add(listing.as(category)));
            case ZoneQuery.Answer.NotListed _ -> {}
            case ZoneQuery.Answer.Unknown unknown -> {
                query.by().feed().categories().forEach(category -> doubtful.add(listing.as(category)));
                reason = unknown.reason();
            }
        }
    }

    /// Listed if the confirmed listings cover every use and match of the doubtful ones; not listed if none is left;
    /// otherwise unknown.
    ExactAnswer answer() {
        if (doubtful.stream().allMatch(this::isCovered)) {
            return listed.isEmpty() ? new ExactAnswer.NotListed(true) : new ExactAnswer.Listed(listed);
        }
        return new ExactAnswer.Unknown(reason, listed, doubtful);
    }

    private boolean isCovered(Listing doubt) {
        return listed.stream()
                .anyMatch(sure ->
                        sure.uses().containsAll(doubt.uses()) && sure.match().includes(doubt.match()));
    }
}
