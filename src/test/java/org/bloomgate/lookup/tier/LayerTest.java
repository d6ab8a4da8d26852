package org.bloomgate.lookup.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.mock;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.cidr.AddressRanges;
import org.bloomgate.core.key.KeyKind;
import org.junit.jupiter.api.Test;

class LayerTest {
    private static final Instant LATER = Instant.parse("2026-01-02T03:04:05Z");

    @Test
    void aLayerThatIsConfirmedIsYoungerAndNothingElse() {
        Layer layer = new Layer(
                "nightly",
                "1",
                Instant.EPOCH,
                Map.of(),
                Optional.of(mock(AddressRanges.class)),
                Map.of(KeyKind.DOMAIN, Set.of("spam")),
                Map.of("tried", new ListingSource.OfFeed(Optional.empty(), true)),
                Map.of(),
                mock(ExactLookup.class));
        Layer confirmed = layer.confirmedAt(LATER);
        assertEquals(LATER, confirmed.createdAt());
        assertEquals(
                new Layer(
                        layer.name(),
                        layer.generation(),
                        LATER,
                        layer.filters(),
                        layer.networks(),
                        layer.categories(),
                        layer.listingSources(),
                        layer.exceptions(),
                        layer.exact()),
                confirmed);
        assertEquals(confirmed, confirmed.confirmedAt(Instant.EPOCH));
    }
}
