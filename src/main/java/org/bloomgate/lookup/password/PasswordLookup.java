package org.bloomgate.lookup.password;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.lookup.password.PasswordCheck.Strength;
import org.bloomgate.lookup.tier.Finding;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.LocalRules;
import org.bloomgate.lookup.tier.OrderedKeyStore;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.bloomgate.lookup.tier.Verdict;

/// Looks up passwords in the snapshots of one lease. Used by one thread.
public final class PasswordLookup {
    private static final long NOT_LISTED = -1;

    /// Lists of passwords have no use, so the place does not matter.
    private static final Identifier PASSWORD = new Identifier(KeyKind.PASSWORD, "", Place.LINK, "check");

    private final TwoTierLookup lookup;
    private final LayerLease lease;
    private final BooleanSupplier hasTime;

    /// @param hasTime whether there is time left for more
    public PasswordLookup(TwoTierLookup lookup, LayerLease lease, BooleanSupplier hasTime) {
        this.lookup = lookup;
        this.lease = lease;
        this.hasTime = hasTime;
    }

    /// Returns how often the password with this SHA-1 was seen: negative if it is not listed, empty if that could
    /// not be looked up.
    public OptionalLong lookUp(byte[] sha1) {
        return hasList(DigestMode.SHA1) ? lookUpCount(List.of(sha1)) : OptionalLong.empty();
    }

    /// Returns how strong the password is; empty if that could not be looked up.
    public Optional<Strength> lookUp(DigestMode mode, PasswordCheck check) {
        if (!hasList(mode) || !hasTime.getAsBoolean()) {
            return Optional.empty();
        }
        OptionalLong count = lookUpCount(check.digests());
        return count.isPresent() ? Optional.of(Strength.ofCount(count.getAsLong())) : Optional.empty();
    }

    /// True if a list has digests of this kind: without one, "not listed" means nothing. It is unknown which
    /// digests a store on another machine has; SHA-1 is usual.
    public boolean hasList(DigestMode mode) {
        for (Layer layer : lease.layers()) {
            if (layer.filters().containsKey(KeyKind.PASSWORD) && hasDigests(layer, mode)) {
                return true;
            }
        }
        LocalRules local = lease.local();
        return local.kinds().contains(KeyKind.PASSWORD) && hasDigests(local.layer(), mode);
    }

    /// The digests belong to one identifier, so there is at most one finding.
    private OptionalLong lookUpCount(List<byte[]> digests) {
        KeyBatch batch = new KeyBatch(digests.size());
        batch.begin(PASSWORD);
        for (byte[] digest : digests) {
            batch.append(digest, 0, digest.length).endKey(KeyKind.PASSWORD, true);
        }
        List<Finding> findings = lookup.evaluate(batch, lease).findings();
        return findings.isEmpty() ? OptionalLong.of(NOT_LISTED) : readCount(findings.getFirst());
    }

    private static OptionalLong readCount(Finding finding) {
        return switch (finding.verdict()) {
            case Verdict.Clean _ -> OptionalLong.of(NOT_LISTED);
            case Verdict.Unresolved _ -> OptionalLong.empty();
            case Verdict.Listed listed ->
                OptionalLong.of(
                        listed.listings().stream().mapToLong(Listing::count).reduce(Strength.ONCE, Math::max));
        };
    }

    private static boolean hasDigests(Layer layer, DigestMode mode) {
        return layer.exact().local().orElse(layer.exact()) instanceof OrderedKeyStore store
                ? store.passwordDigestBytes().contains(mode.digestBytes())
                : mode == DigestMode.SHA1;
    }
}
