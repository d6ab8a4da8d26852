package org.bloomgate.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bloomgate.feed.FeedCounts;
import org.bloomgate.key.KeyKind;
import org.junit.jupiter.api.Test;

class RebuildReportTest {
    private static final RebuildReport REPORT = new RebuildReport(
            "nightly",
            RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS,
            Optional.of("20260302T020000Z-09af"),
            Optional.empty(),
            Optional.empty(),
            List.of("feed phish: shrank"),
            Instant.parse("2026-03-02T02:00:00Z"),
            List.of(
                    new FeedReport(
                            "phish",
                            FeedReport.From.SOURCE,
                            Optional.of(Instant.parse("2026-03-02T02:00:00Z")),
                            new FeedCounts(1_200, 1_190, 8, 1, 1, 1_195),
                            Optional.empty(),
                            List.of(new FeedReport.Example(7, "unsupported syntax", "/evil[0-9]+/")),
                            List.of(new FeedReport.Example(9, "allowed: popular.example", "popular.example")),
                            0.25),
                    new FeedReport(
                            "window",
                            FeedReport.From.LAST_GOOD_COPY,
                            Optional.of(Instant.parse("2026-03-01T02:00:00Z")),
                            new FeedCounts(3, 3, 0, 0, 0, 3),
                            Optional.of("no file window.txt"),
                            List.of(),
                            List.of(),
                            0)),
            List.of(new FeedChange("phish", 1_190, 12, 3, 5, List.of("new.example"), List.of("old.example"))),
            List.of(new KindReport(KeyKind.DOMAIN, 1_197, 65_536, 1e-6, 2.5e-7, 12, 3)),
            Optional.of(new ProofReport(1_197, 0, 1_197, 0, Optional.empty())),
            Optional.empty(),
            List.of(),
            List.of(
                    new RebuildReport.StageTime(RebuildStage.READ, 1.5),
                    new RebuildReport.StageTime(RebuildStage.BUILD, 0.5)),
            64L << 20);

    @Test
    void tableIsForPeople() {
        assertEquals("""
            layer nightly: published-with-failed-feeds, generation 20260302T020000Z-09af
            gate forced open: feed phish: shrank
            feed window failed, its last good copy is used, of 2026-03-01T02:00:00Z: no file window.txt
            feed    from            lines  entries  comments  rejects  held   keys  seconds
            phish   source          1,200    1,190         8        1     1  1,195      0.3
            window  last-good-copy      3        3         0        0     0      3      0.0
            feed   before  added  removed  retained
            phish   1,190     12        3         5
            kind     keys  added  removed  filter MiB  design rate  predicted rate
            domain  1,197     12        3        0.06      1.0e-06         2.5e-07
            phish:7 rejected, unsupported syntax: /evil[0-9]+/
            phish:9 held, allowed: popular.example: popular.example
            proof: 0 of 1197 keys denied by their filter, 0 of 1197 not as written in the store
            read 1.5 s, build 0.5 s; peak heap 64 MiB
            """, ReportTable.of(REPORT));
    }

    @Test
    void jsonIsForPrograms() {
        assertEquals("""
            {"layer":"nightly","outcome":"published-with-failed-feeds","generation":"20260302T020000Z-09af",\
            "previousGeneration":null,"closedGate":null,"forced":["feed phish: shrank"],"startedAt":"2026-03-02T02:00:00Z","feeds":[\
            {"name":"phish","from":"source","seen":"2026-03-02T02:00:00Z","counts":{"lines":1200,"entries":1190,"comments":8,"rejects":1,\
            "held":1,"keys":1195},"failure":null,"rejects":[{"line":7,"reason":"unsupported syntax",\
            "excerpt":"/evil[0-9]+/"}],"held":[{"line":9,"reason":"allowed: popular.example",\
            "excerpt":"popular.example"}],"seconds":0.25},\
            {"name":"window","from":"last-good-copy","seen":"2026-03-01T02:00:00Z","counts":{"lines":3,"entries":3,"comments":0,"rejects":0,\
            "held":0,"keys":3},"failure":"no file window.txt","rejects":[],"held":[],"seconds":0.0}],\
            "changes":[{"feed":"phish","before":1190,"added":12,"removed":3,"retained":5,\
            "addedKeys":["new.example"],"removedKeys":["old.example"]}],\
            "kinds":[{"kind":"domain","keys":1197,"filterBytes":65536,"designRate":1.0E-6,"predictedRate":2.5E-7,\
            "added":12,"removed":3}],"proof":{"filterKeys":1197,"filterMisses":0,"storeKeys":1197,\
            "storeMisses":0,"refusal":null},"blast":null,"warnings":[],"stages":[{"stage":"read","seconds":1.5},\
            {"stage":"build","seconds":0.5}],"peakHeapBytes":67108864}\
            """, ReportJson.of(REPORT));
    }

    @Test
    void onlyAGateThatClosedEndsWithOne() {
        assertEquals(0, RebuildOutcome.PUBLISHED.exitStatus());
        assertEquals(0, RebuildOutcome.DRY_RUN.exitStatus());
        assertEquals(1, RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS.exitStatus());
        assertEquals(1, RebuildOutcome.GATE_CLOSED.exitStatus());
        assertEquals(
                List.of("window"),
                REPORT.failedFeeds().stream().map(FeedReport::name).toList());
    }
}
