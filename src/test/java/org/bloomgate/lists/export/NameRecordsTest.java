package org.bloomgate.lists.export;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NameRecordsTest {
    private static final RpzAction NONE = RpzAction.NONE;
    private static final RpzAction NXDOMAIN = RpzAction.NXDOMAIN;
    private static final RpzAction NODATA = RpzAction.of("nodata");

    private final Map<byte[], List<ZonePolicy>> policies = new TreeMap<>(Arrays::compareUnsigned);

    private void apply(String name, RpzAction itself, RpzAction below, boolean excepted) {
        policies.computeIfAbsent(ReversedName.of(name), _ -> new ArrayList<>())
                .add(new ZonePolicy("feed", itself, below, excepted));
    }

    /// Records by owner.
    private String records() throws IOException {
        Map<String, RpzAction> records = new TreeMap<>();
        NameRecords names = new NameRecords((name, itself, below) -> {
            if (!itself.equals(NONE)) {
                assertEquals(null, records.put(name, itself), name);
            }
            if (!below.equals(NONE)) {
                assertEquals(null, records.put("*." + name, below), name);
            }
        });
        for (Map.Entry<byte[], List<ZonePolicy>> one : policies.entrySet()) {
            names.add(one.getKey(), one.getValue());
        }
        return records.toString();
    }

    @Test
    void suffixAndExactListing_haveTheirRecords() throws IOException {
        apply("bad.example", NXDOMAIN, NXDOMAIN, false);
        apply("one.bad.example", NXDOMAIN, NXDOMAIN, false);
        apply("page.other.example", NODATA, NONE, false);

        assertEquals("{*.bad.example=nxdomain, bad.example=nxdomain, page.other.example=nodata}", records());
    }

    @Test
    void otherActionBelow_writesTheNamesBetween() throws IOException {
        apply("bad.example", NODATA, NODATA, false);
        apply("x.y.bad.example", NXDOMAIN, NXDOMAIN, false);

        assertEquals(
                "{*.bad.example=nodata, *.x.y.bad.example=nxdomain, *.y.bad.example=nodata, bad.example=nodata,"
                        + " x.y.bad.example=nxdomain, y.bad.example=nodata}",
                records());
    }

    @Test
    void exceptedPlace_isPassedOnlyBelowABlockedOne() throws IOException {
        apply("bad.example", NXDOMAIN, NXDOMAIN, false);
        apply("good.bad.example", NONE, NONE, true);
        apply("good.example", NONE, NONE, true);

        assertEquals(
                "{*.bad.example=nxdomain, *.good.bad.example=passthru, bad.example=nxdomain,"
                        + " good.bad.example=passthru}",
                records());
    }
}
