package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.bloomgate.core.bloom.FilterSizing;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.layer.FilterOptions;
import org.bloomgate.lists.layer.FilterPlan;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilterPlanTest {
    private static final ToLongFunction<KeyKind> KEYS = keys(Map.of(
            KeyKind.URL, 200_000L, KeyKind.DOMAIN, 1_000_000L, KeyKind.ADDRESS, 10_000L, KeyKind.PASSWORD, 5_000_000L));

    @TempDir
    private Path folder;

    private static ToLongFunction<KeyKind> keys(Map<KeyKind, Long> counts) {
        return kind -> counts.getOrDefault(kind, 0L);
    }

    @Test
    void planWithoutBudget_hasTheRateOfEachKind() {
        FilterPlan plan = FilterPlan.byRates(KEYS);
        assertEquals(1e-6, plan.findSizing(KeyKind.URL).targetRate());
        assertEquals(1e-3, plan.findSizing(KeyKind.PASSWORD).targetRate());
    }

    @Test
    void budget_isKeptAndUsedUp() {
        for (long bytes : new long[] {3_000_000, 20_000_000}) {
            long used = FilterPlan.within(bytes, KEYS).countBytes();
            assertTrue(used <= bytes && used > 0.98 * bytes, used + " of " + bytes);
        }
    }

    @Test
    void smallKindsWithManyLookups_getLowRates() {
        FilterPlan plan = FilterPlan.within(10_000_000, KEYS);
        double url = plan.findSizing(KeyKind.URL).targetRate();
        double domain = plan.findSizing(KeyKind.DOMAIN).targetRate();
        double password = plan.findSizing(KeyKind.PASSWORD).targetRate();
        assertTrue(url < domain && domain < password, url + " " + domain + " " + password);
        assertEquals(1_000_000 / 30.0 / (200_000 / 100.0), domain / url, 0.01);
    }

    /// Every other way to share the same bytes between two kinds by filters of two lines gives more false
    /// positives.
    @Test
    void otherSharing_givesMoreFalsePositives() {
        ToLongFunction<KeyKind> two = keys(Map.of(KeyKind.URL, 50_000L, KeyKind.DOMAIN, 400_000L));
        FilterPlan plan = FilterPlan.within(1_000_000, two);
        double best = escalations(plan.findSizing(KeyKind.URL), plan.findSizing(KeyKind.DOMAIN));
        for (double factor : new double[] {0.2, 0.5, 2, 5}) {
            FilterSizing url =
                    FilterSizing.twoLine(50_000, plan.findSizing(KeyKind.URL).targetRate() * factor);
            double rate = rateWithin(plan.countBytes() - url.bodyBytes());
            FilterSizing domain = FilterSizing.twoLine(400_000, rate);
            assertTrue(escalations(url, domain) > best, "factor " + factor);
        }
    }

    private static double escalations(FilterSizing url, FilterSizing domain) {
        return 100 * url.predictedRate(50_000) + 30 * domain.predictedRate(400_000);
    }

    private static double rateWithin(long bytes) {
        double low = Math.log(1e-9);
        double high = Math.log(0.5);
        for (int step = 0; step < 12; step++) {
            double middle = (low + high) / 2;
            boolean fits = FilterSizing.twoLine(400_000, Math.exp(middle)).bodyBytes() <= bytes;
            low = fits ? low : middle;
            high = fits ? middle : high;
        }
        return Math.exp(high);
    }

    @Test
    void tooSmallABudgetIsAWarningAndNotAFailure() throws Exception {
        RebuildRig rig = new RebuildRig(folder);
        rig.feed("list", KeyKind.DOMAIN, "a.example", "b.example");
        rig.filters = new FilterOptions(10);
        RebuildReport report = rig.run();
        assertEquals(RebuildOutcome.PUBLISHED, report.outcome());
        assertTrue(
                report.warnings().getFirst().contains("filters.memory leaves 10 bytes"), report.warnings()::toString);
        rig.filters = new FilterOptions(1 << 20);
        assertEquals(1e-8, rig.run().kinds().getFirst().designRate());
    }
}
