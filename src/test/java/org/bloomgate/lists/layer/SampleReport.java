package org.bloomgate.lists.layer;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.layer.RebuildReport.FeedChange;
import org.bloomgate.lists.layer.RebuildReport.KindReport;

/// A report with something in every part.
public final class SampleReport {
    public static final RebuildReport PUBLISHED = new RebuildReport(
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
                            new FeedCounts(1_200, 1_190, 8, 1, 0, 1, 1_195),
                            Optional.empty(),
                            Optional.empty(),
                            List.of(new FeedReport.Example(7, "unsupported syntax", "/evil[0-9]+/")),
                            List.of(new FeedReport.Example(9, "allowed: popular.example", "popular.example")),
                            0.25),
                    new FeedReport(
                            "window",
                            FeedReport.From.LAST_GOOD_COPY,
                            Optional.of(Instant.parse("2026-03-01T02:00:00Z")),
                            new FeedCounts(3, 3, 0, 0, 0, 0, 3),
                            Optional.of("2 of 3 lines rejected"),
                            Optional.of(new FeedReport.Refused(
                                    new FeedCounts(4, 1, 1, 2, 0, 0, 1),
                                    List.of(new FeedReport.Example(2, "not a host name", "</html>")),
                                    List.of())),
                            List.of(),
                            List.of(),
                            0)),
            List.of(new FeedChange("phish", 1_190, 12, 3, 5, List.of("new.example"), List.of("old.example"))),
            List.of(new KindReport(KeyKind.DOMAIN, 1_197, 65_536, 1e-6, 2.5e-7, 12, 3)),
            Optional.of(new ProofReport(1_197, 0, 1_197, 0, Optional.empty())),
            Optional.of(new BlastReport(
                    7,
                    3,
                    1,
                    1,
                    List.of(new BlastReport.OfFeed(
                            "phish",
                            3,
                            1,
                            1,
                            List.of(new BlastReport.Example(
                                    "F5HQ6BRWC35W", Instant.parse("2026-03-01T09:00:00Z"), "new.example")))),
                    List.of(new BlastReport.OfFeed(
                            "wide",
                            6,
                            5,
                            5,
                            List.of(new BlastReport.Example(
                                    "F5HQ6BRWC35X", Instant.parse("2026-03-01T09:00:01Z"), "wide.example")))),
                    0)),
            List.of(),
            List.of(
                    new RebuildReport.StageTime(RebuildStage.READ, 1.5),
                    new RebuildReport.StageTime(RebuildStage.BUILD, 0.5)),
            64L << 20,
            Optional.empty());

    private SampleReport() {}
}
