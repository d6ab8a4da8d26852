package org.bloomgate.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.bloomgate.http.PasswordCheck.Strength;
import org.bloomgate.key.Identifier;
import org.bloomgate.key.KeyBatch;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.PasswordVariant;
import org.bloomgate.key.Place;
import org.bloomgate.lookup.Finding;
import org.bloomgate.lookup.LayerLease;
import org.bloomgate.lookup.TwoTierLookup;
import org.bloomgate.verdict.Listing;
import org.bloomgate.verdict.Verdict;

/// Asks about passwords against the snapshots of one lease, many at a time. Used by one thread.
final class PasswordLookup {
    /// Keys that are asked together. One password has at most 24: its variants, given and in NFC.
    private static final int KEYS_AT_A_TIME = 4_096;

    private static final long NOT_LISTED = -1;

    /// Lists of passwords know no use: any place will do.
    private static final Identifier PASSWORD = new Identifier(KeyKind.PASSWORD, "", Place.LINK, "check");

    private final TwoTierLookup lookup;
    private final LayerLease lease;
    private final RequestBody time;

    /// @param time that the request has left
    PasswordLookup(TwoTierLookup lookup, LayerLease lease, RequestBody time) {
        this.lookup = lookup;
        this.lease = lease;
        this.time = time;
    }

    /// How strong each is, in order; empty when that could not be found out of any of them.
    Optional<List<Strength>> ask(List<PasswordCheck> checks) {
        if (!lease.kinds().contains(KeyKind.PASSWORD)) {
            return Optional.empty();
        }
        List<Strength> answers = new ArrayList<>(checks.size());
        int first = 0;
        while (first < checks.size()) {
            KeyBatch batch = new KeyBatch();
            int end = fill(batch, checks, first);
            Optional<List<Long>> counts = time.inTime() ? counts(batch) : Optional.empty();
            if (counts.isEmpty()) {
                return Optional.empty();
            }
            int form = 0;
            for (PasswordCheck check : checks.subList(first, end)) {
                int next = form + check.forms().size();
                answers.add(check.strength(counts.get().subList(form, next)));
                form = next;
            }
            first = end;
        }
        return Optional.of(answers);
    }

    /// @return position of the first password that was left for the next batch
    private static int fill(KeyBatch batch, List<PasswordCheck> checks, int first) {
        int next = first;
        while (next < checks.size() && batch.size() < KEYS_AT_A_TIME) {
            for (PasswordVariant form : checks.get(next++).forms()) {
                batch.begin(PASSWORD);
                for (byte[] digest : form.digests()) {
                    batch.append(digest, 0, digest.length).endKey(KeyKind.PASSWORD, true);
                }
            }
        }
        return next;
    }

    /// By form; empty when any could not be found out.
    private Optional<List<Long>> counts(KeyBatch batch) {
        List<Long> counts =
                new ArrayList<>(Collections.nCopies(batch.identifiers().size(), NOT_LISTED));
        for (Finding finding : lookup.judge(batch, lease).findings()) {
            switch (finding.verdict()) {
                case Verdict.Clean clean -> {}
                case Verdict.Listed listed -> counts.set(finding.position(), count(listed));
                case Verdict.Unresolved unresolved -> {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(counts);
    }

    private static long count(Verdict.Listed listed) {
        return listed.listings().stream().mapToLong(Listing::count).max().orElse(0);
    }
}
