package org.bloomgate.lists.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class RebuildReportTest {
    @Test
    void json_hasLabelsAndTimes() {
        assertEquals("""
                {"layer":"nightly","outcome":"published-with-failed-feeds","generation":"20260302T020000Z-09af",\
                "previousGeneration":null,"closedGate":null,"forced":["feed phish: shrank"],"startedAt":"2026-03-02T02:00:00Z","feeds":[\
                {"name":"phish","from":"source","seen":"2026-03-02T02:00:00Z","counts":{"lines":1200,"entries":1190,"comments":8,"rejects":1,"unsupported":0,\
                "held":1,"keys":1195},"failure":null,"refused":null,"rejects":[{"line":7,"reason":"unsupported syntax",\
                "excerpt":"/evil[0-9]+/"}],"held":[{"line":9,"reason":"allowed: popular.example",\
                "excerpt":"popular.example"}],"seconds":0.25},\
                {"name":"window","from":"last-good-copy","seen":"2026-03-01T02:00:00Z","counts":{"lines":3,"entries":3,"comments":0,"rejects":0,"unsupported":0,\
                "held":0,"keys":3},"failure":"2 of 3 lines rejected","refused":{"counts":{"lines":4,"entries":1,"comments":1,"rejects":2,"unsupported":0,"held":0,\
                "keys":1},"rejects":[{"line":2,"reason":"not a host name","excerpt":"</html>"}],"held":[]},"rejects":[],"held":[],"seconds":0.0}],\
                "changes":[{"feed":"phish","before":1190,"added":12,"removed":3,"retained":5,\
                "addedKeys":["new.example"],"removedKeys":["old.example"]}],\
                "kinds":[{"kind":"domain","keys":1197,"filterBytes":65536,"designRate":1.0E-6,"predictedRate":2.5E-7,\
                "added":12,"removed":3}],"proof":{"filterKeys":1197,"filterMisses":0,"storeKeys":1197,\
                "storeMisses":0,"refusal":null},"blast":{"mails":7,"listed":3,"known":1,"voters":1,"feeds":[{"feed":"phish","mails":3,"known":1,"voters":1,\
                "examples":[{"token":"F5HQ6BRWC35W","delivered":"2026-03-01T09:00:00Z","key":"new.example"}]}],\
                "held":[{"feed":"wide","mails":6,"known":5,"voters":5,\
                "examples":[{"token":"F5HQ6BRWC35X","delivered":"2026-03-01T09:00:01Z","key":"wide.example"}]}],\
                "overlooked":0},"warnings":[],"stages":[{"stage":"read","seconds":1.5},\
                {"stage":"build","seconds":0.5}],"peakHeapBytes":67108864,"retro":null}\
                """, ReportJson.of(SampleReport.PUBLISHED));
    }

    @Test
    void exitStatus_isOneForClosedGateOrFailedFeed() {
        assertEquals(0, RebuildOutcome.PUBLISHED.exitStatus());
        assertEquals(0, RebuildOutcome.DRY_RUN.exitStatus());
        assertEquals(1, RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS.exitStatus());
        assertEquals(1, RebuildOutcome.GATE_CLOSED.exitStatus());
        assertEquals(
                List.of("window"),
                SampleReport.PUBLISHED.failedFeeds().stream()
                        .map(FeedReport::name)
                        .toList());
    }
}
