package org.bloomgate.lookup.password;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PasswordVariant;
import org.bloomgate.core.key.Place;
import org.bloomgate.lookup.lookup.Finding;
import org.bloomgate.lookup.lookup.Layer;
import org.bloomgate.lookup.lookup.LayerLease;
import org.bloomgate.lookup.lookup.Listing;
import org.bloomgate.lookup.lookup.LocalRules;
import org.bloomgate.lookup.lookup.OrderedKeyStore;
import org.bloomgate.lookup.lookup.TwoTierLookup;
import org.bloomgate.lookup.lookup.Verdict;
import org.bloomgate.lookup.password.PasswordCheck.Strength;

/// Looks up passwords in the snapshots of one lease. Used by one thread.
public final class PasswordLookup {
    private static final long NOT_LISTED = -1;

    /// Lists of passwords know no use: any place will do.
    private static final Identifier PASSWORD = new Identifier(KeyKind.PASSWORD, "", Place.LINK, "check");

    private final TwoTierLookup lookup;
    private final LayerLease lease;
    private final BooleanSupplier inTime;

    /// @param inTime whether there is time left for more
    public PasswordLookup(TwoTierLookup lookup, LayerLease lease, BooleanSupplier inTime) {
        this.lookup = lookup;
        this.lease = lease;
        this.inTime = inTime;
    }

    /// How often the password with this SHA-1 was seen, negative when it is not listed; empty when that could not be
    /// found out.
    public OptionalLong ask(byte[] digest) {
        if (!hasList(DigestMode.SHA1)) {
            return OptionalLong.empty();
        }
        KeyBatch batch = new KeyBatch(1);
        batch.begin(PASSWORD);
        batch.append(digest, 0, digest.length).endKey(KeyKind.PASSWORD, true);
        List<Finding> findings = lookup.evaluate(batch, lease).findings();
        return findings.isEmpty() ? OptionalLong.of(NOT_LISTED) : count(findings.getFirst());
    }

    /// How strong it is; empty when that could not be found out.
    public Optional<Strength> ask(DigestMode mode, PasswordCheck check) {
        return hasList(mode) && inTime.getAsBoolean() ? counts(check).map(check::strength) : Optional.empty();
    }

    /// True if a list has digests of this kind: without one, "not listed" means nothing. It is unknown which
    /// digests a store on another machine has; SHA-1 is usual.
    public boolean hasList(DigestMode mode) {
        for (Layer layer : lease.layers()) {
            if (layer.filters().containsKey(KeyKind.PASSWORD) && holds(layer, mode)) {
                return true;
            }
        }
        LocalRules local = lease.local();
        return local.kinds().contains(KeyKind.PASSWORD) && holds(local.layer(), mode);
    }

    /// Counts by form; empty if any could not be looked up.
    private Optional<List<Long>> counts(PasswordCheck check) {
        KeyBatch batch = new KeyBatch();
        for (PasswordVariant form : check.forms()) {
            batch.begin(PASSWORD);
            for (byte[] digest : form.digests()) {
                batch.append(digest, 0, digest.length).endKey(KeyKind.PASSWORD, true);
            }
        }
        List<Long> counts = new ArrayList<>(Collections.nCopies(check.forms().size(), NOT_LISTED));
        for (Finding finding : lookup.evaluate(batch, lease).findings()) {
            OptionalLong count = count(finding);
            if (count.isEmpty()) {
                return Optional.empty();
            }
            counts.set(finding.position(), count.getAsLong());
        }
        return Optional.of(counts);
    }

    private static OptionalLong count(Finding finding) {
        return switch (finding.verdict()) {
            case Verdict.Clean _ -> OptionalLong.of(NOT_LISTED);
            case Verdict.Unresolved _ -> OptionalLong.empty();
            case Verdict.Listed listed ->
                OptionalLong.of(listed.listings().stream()
                        .mapToLong(Listing::count)
                        .max()
                        .orElse(0));
        };
    }

    private static boolean holds(Layer layer, DigestMode mode) {
        return layer.exact().local().orElse(layer.exact()) instanceof OrderedKeyStore ranges
                ? ranges.passwordDigestBytes().contains(mode.digestBytes())
                : mode == DigestMode.SHA1;
    }
}
