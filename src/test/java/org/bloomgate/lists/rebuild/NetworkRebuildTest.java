package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.snapshot.LiveSnapshots;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotRefusedException;
import org.bloomgate.lookup.store.SortedStore;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.LookupCounts;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.bloomgate.lookup.tier.Verdict;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkRebuildTest {
    private final LookupCounts counts = new LookupCounts();
    private RebuildRig rig = new RebuildRig(Path.of(""));

    @BeforeEach
    void twoFeedsWhoseNetworksOverlap(@TempDir Path folder) throws IOException {
        rig = new RebuildRig(folder)
                .feed("drop", KeyKind.NETWORK, "192.0.2.0/24", "2001:db8::/32")
                .feed("bots", KeyKind.NETWORK, "192.0.2.77", "192.0.2.64/26", "2001:db8:0:1::/64", "198.51.100.1");
        rig.feedOption("drop", "trusted", true).feedOption("bots", "trusted", true);
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
    }

    @Test
    void everyListingThatCoversAnAddressIsAnswered() {
        assertEquals(List.of("bots 192.0.2.77/32", "bots 192.0.2.64/26", "drop 192.0.2.0/24"), listings("192.0.2.77"));
        assertEquals(List.of("drop 192.0.2.0/24"), listings("192.0.2.0"));
        assertEquals(List.of("bots 2001:db8:0:1::/64", "drop 2001:db8::/32"), listings("2001:db8:0:1::9"));
        assertEquals(List.of("bots 198.51.100.1/32"), listings("::ffff:198.51.100.1"));
        assertEquals(List.of("bots 198.51.100.1/32"), listings("2002:c633:6401::1"));
    }

    @Test
    void anAddressBesideIsCleanAndNobodyIsAsked() {
        assertEquals(List.of(), listings("192.0.3.0"));
        assertEquals(List.of(), listings("198.51.100.2"));
        assertEquals(List.of(), listings("2001:db9::"));
        assertEquals(0, counts.suspects());
        assertEquals(0, counts.refuted());
    }

    @Test
    void blocksNobodyHoldsAreNoFalsePositives() {
        listings("192.0.2.77");
        assertEquals(3, counts.suspects());
        assertEquals(0, counts.refuted());
    }

    @Test
    void droppedEntries_areGone_otherKeepTheirFirstSight() throws IOException {
        rig.daysPass(1);
        rig.content("drop", "192.0.2.0/25");
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());

        assertEquals(List.of(), listings("192.0.2.200"));
        List<Listing> left = found("192.0.2.64");
        assertEquals(
                Set.of("192.0.2.64/26 " + RebuildRig.MONDAY, "192.0.2.0/25 " + rig.now),
                Set.copyOf(left.stream()
                        .map(listing -> listing.key().text() + " " + listing.firstSeen())
                        .toList()));
    }

    @Test
    void aLayerWithoutNetworksHasNoFileOfThem(@TempDir Path other) throws IOException {
        RebuildRig domains = new RebuildRig(other).feed("names", KeyKind.DOMAIN, "listed.example");
        domains.run();
        assertFalse(Files.exists(generation(domains).resolve("network.ranges")));
        assertTrue(Files.exists(generation(rig).resolve("network.ranges")));
    }

    @Test
    void rangesThatAreNotAsWrittenAreRefused() throws IOException {
        Path file = generation(rig).resolve("network.ranges");
        byte[] bytes = Files.readAllBytes(file);
        bytes[70] ^= 1;
        Files.write(file, bytes);
        assertThrows(SnapshotRefusedException.class, () -> new SnapshotReader().open(generation(rig)));
    }

    private static Path generation(RebuildRig rig) throws IOException {
        return rig.layer().resolveGeneration(rig.current().orElseThrow());
    }

    private List<String> listings(String address) {
        return found(address).stream()
                .map(listing -> listing.feed() + " " + listing.key().text())
                .toList();
    }

    private List<Listing> found(String address) {
        KeyBatch batch = new KeyBatch();
        batch.begin(new Identifier(KeyKind.NETWORK, address, Place.LINK, "test"));
        AddressBlock.of(IpLiteral.parse(address).orElseThrow()).append(batch);
        try (LiveSnapshots live = new LiveSnapshots(
                        rig.snapshots,
                        new SnapshotReader(),
                        snapshot -> SortedStore.open(snapshot.exactDirectory()),
                        PublicSuffixes.bundled(),
                        InstantSource.system());
                LayerLease lease = live.lease()) {
            assertEquals(Set.of(KeyKind.NETWORK), lease.kinds());
            LookupResult lookupResult = new TwoTierLookup(Duration.ofSeconds(10), counts).evaluate(batch, lease);
            return switch (lookupResult.verdict()) {
                case Verdict.Listed listed -> listed.listings();
                case Verdict.Clean _ -> List.of();
                case Verdict.Unresolved unresolved -> throw new AssertionError(unresolved.reason());
            };
        }
    }
}
