package org.bloomgate.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.bloomgate.wire.MirrorReport;
import org.junit.jupiter.api.Test;

class FleetTest {
    private static final Instant NOW = Instant.parse("2026-11-21T02:03:05Z");
    private static final String GENERATION = "20261121T020305Z-09af";
    private static final MirrorReport.Entry BAD = new MirrorReport.Entry("domain", "bad.example", "local");

    private final AtomicReference<Instant> now = new AtomicReference<>(NOW);
    private final Fleet fleet = new Fleet(Map.of("one", "token-of-mirror-one", "two", "token-of-mirror-two"), now::get);

    private static MirrorReport report(String generation, long listings, MirrorReport.Entry... entries) {
        return new MirrorReport(
                List.of(new MirrorReport.Layer("nightly", generation)),
                Optional.of(7L),
                Optional.of(listings),
                true,
                List.of(),
                List.of(entries),
                0);
    }

    @Test
    void aMirrorIsKnownByItsTokenAlone() {
        assertEquals(Optional.of("one"), fleet.mirrorOf("token-of-mirror-one"));
        assertEquals(Optional.of("two"), fleet.mirrorOf("token-of-mirror-two"));
        assertEquals(Optional.empty(), fleet.mirrorOf("token-of-mirror-onf"));
        assertEquals(Optional.empty(), fleet.mirrorOf(""));
    }

    @Test
    void aReportASecondIsTakenAndNoMore() {
        assertTrue(fleet.take("one", report(GENERATION, 5)));
        assertTrue(fleet.take("two", report(GENERATION, 5)), "another's is no matter");
        now.set(NOW.plusMillis(999));
        assertFalse(fleet.take("one", report(GENERATION, 6)));
        assertEquals(1, fleet.refused());
        assertEquals(5, fleet.mirror("one").report().orElseThrow().listings().orElseThrow());
        now.set(NOW.plusSeconds(1));
        assertTrue(fleet.take("one", report(GENERATION, 6)));
        now.set(NOW.minusSeconds(3600));
        assertTrue(fleet.take("one", report(GENERATION, 7)), "a clock that was set back shuts nobody out");
    }

    @Test
    void whoHasSomethingElseInForceIsBehindAndWhoNeverReportedToo() {
        Map<String, String> here = Map.of("nightly", GENERATION);
        assertTrue(fleet.mirror("one").isBehind(here, Optional.of(5L)));
        assertTrue(fleet.take("one", report(GENERATION, 5)));
        assertFalse(fleet.mirror("one").isBehind(here, Optional.of(5L)));
        assertFalse(fleet.mirror("one").isBehind(here, Optional.empty()));
        assertTrue(fleet.mirror("one").isBehind(here, Optional.of(6L)));
        assertTrue(fleet.mirror("one").isBehind(Map.of("nightly", "20261121T020306Z-09af"), Optional.of(5L)));
        assertTrue(fleet.mirror("one").isBehind(Map.of("hourly", GENERATION), Optional.of(5L)));
    }

    @Test
    void whatSeveralListStandsOnceWithAllOfThem() {
        assertTrue(fleet.take("two", report(GENERATION, 5, BAD)));
        assertTrue(fleet.take("one", report(GENERATION, 5, BAD)));
        assertEquals(Map.of(BAD, Set.of("one", "two")), fleet.entries());
        assertEquals(
                List.of("one", "two"),
                fleet.mirrors().stream().map(Fleet.Mirror::name).toList());
    }

    @Test
    void aReportIsTakenUpToItsBoundsAndNotBeyond() {
        String most = "x".repeat(MirrorReport.MAX_TEXT_CHARS);
        assertEquals(most, new MirrorReport.Entry("url", most, "").value());
        assertThrows(IllegalArgumentException.class, () -> new MirrorReport.Entry("url", most + "x", ""));
        assertThrows(IllegalArgumentException.class, () -> new MirrorReport.Entry("url", "a\nb", ""));
        assertThrows(IllegalArgumentException.class, () -> new MirrorReport.Entry("address", "a@b.example", ""));
        assertThrows(IllegalArgumentException.class, () -> new MirrorReport.Layer("nightly", "../../etc/passwd/0123"));
        MirrorReport well = report(GENERATION, 5);
        assertEquals(
                MirrorReport.MAX_ENTRIES,
                of(well, MirrorReport.MAX_ENTRIES).entries().size());
        assertThrows(IllegalArgumentException.class, () -> of(well, MirrorReport.MAX_ENTRIES + 1));
        assertThrows(IllegalArgumentException.class, () -> report(GENERATION, -1));
    }

    private static MirrorReport of(MirrorReport like, int entries) {
        return new MirrorReport(
                like.layers(),
                like.counter(),
                like.listings(),
                true,
                like.faults(),
                Collections.nCopies(entries, BAD),
                0);
    }
}
