package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.RecordCopy;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.ListingSource;
import org.junit.jupiter.api.Test;

/// What a feed's word counts, on its way through the manifest.
class ManifestStandingTest {
    private static final ManifestFeed PLAIN = Snapshots.feed(1);
    private static final ManifestFeed CAPPED = of("capped", Optional.of(Action.TAG), false);
    private static final ManifestFeed TRIAL = of("trial", Optional.empty(), true);

    private static ManifestFeed of(String name, Optional<Action> action, boolean shadow) {
        return RecordCopy.with(
                RecordCopy.with(RecordCopy.with(PLAIN, "name", name), "action", action), "shadow", shadow);
    }

    private static SnapshotManifest manifest(ManifestFeed... feeds) {
        return new SnapshotManifest(
                SnapshotManifest.FORMAT_VERSION,
                1,
                "nightly",
                "20260305T010203Z",
                Instant.parse("2026-03-05T01:02:03Z"),
                "0".repeat(64),
                1,
                List.of(feeds),
                List.of(),
                List.of(),
                Map.of());
    }

    @Test
    void writtenManifest_isReadEqual() throws Exception {
        SnapshotManifest sent = manifest(PLAIN, CAPPED, TRIAL);
        SnapshotManifest read = ManifestJson.read(ManifestJson.write(sent));
        assertEquals(sent, read);
        assertEquals(
                Map.of(
                        "capped",
                        new ListingSource.OfFeed(Optional.of(Action.TAG), false),
                        "trial",
                        new ListingSource.OfFeed(Optional.empty(), true)),
                read.collectListingSources());
    }

    @Test
    void defaults_areOmitted() throws Exception {
        byte[] bytes = ManifestJson.write(manifest(PLAIN));
        String text = new String(bytes, UTF_8);
        assertFalse(text.contains("\"action\""), text);
        assertFalse(text.contains("\"shadow\""), text);
        assertEquals(manifest(PLAIN), ManifestJson.read(bytes));
        assertEquals(Map.of(), ManifestJson.read(bytes).collectListingSources());
    }

    @Test
    void unknownValue_isRejected() throws Exception {
        String text = new String(ManifestJson.write(manifest(CAPPED)), UTF_8);
        assertTrue(text.contains("\"action\" : \"tag\""), text);
        byte[] discard = ManifestJson.seal(text.replace("\"action\" : \"tag\"", "\"action\" : \"discard\""))
                .getBytes(UTF_8);
        assertThrows(SnapshotRefusedException.class, () -> ManifestJson.read(discard));
    }

    @Test
    void feedInShadow_hasNoCategory() {
        assertEquals(
                Map.of(KeyKind.DOMAIN, Set.of("phishing")),
                manifest(PLAIN, TRIAL).collectCategories());
        assertEquals(Map.of(KeyKind.DOMAIN, Set.of()), manifest(TRIAL).collectCategories());
    }
}
