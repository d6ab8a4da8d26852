package org.bloomgate.decision.journal;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.decision.journal.Decision.RecordedFinding;

/// Decisions for tests.
final class Decisions {
    static final Instant NOON = Instant.parse("2026-03-05T12:00:00Z");

    private Decisions() {}

    static Decision listed(String token) {
        return decision(token, "listed", "reject");
    }

    static Decision clean(String token) {
        return decision(token, "clean", "pass");
    }

    /// Mail of this time that a feed, or none, decided.
    static Decision done(Instant time, String feed, String action, String enforced, Map<String, String> would) {
        return decision(time, "00000000AAAA", "listed", action, enforced, feed, would);
    }

    private static Decision decision(String token, String verdict, String action) {
        return decision(NOON, token, verdict, action, action, verdict.equals("listed") ? "sample" : "", Map.of());
    }

    private static Decision decision(
            Instant time,
            String token,
            String verdict,
            String action,
            String enforced,
            String feed,
            Map<String, String> would) {
        return new Decision(
                time,
                token,
                new Decision.Connection("192.0.2.7", "mail.example", ""),
                new Decision.Envelope(
                        "a@sender.example", List.of("b@rcpt.example"), List.of("c@rcpt.example: 550 5.1.1 unknown")),
                new Decision.Content(
                        new Decision.Heading("<1@sender.example>", "Hello", "A <a@sender.example>"),
                        1_234,
                        new Decision.Lookup(
                                20,
                                1,
                                List.of(new RecordedFinding(
                                        "domain",
                                        "evil.example",
                                        "link",
                                        "listed",
                                        "evil.example",
                                        "",
                                        "sample",
                                        "phishing",
                                        Optional.of(Instant.parse("2026-03-01T00:00:00Z")),
                                        "")),
                                List.of("parts"),
                                List.of()),
                        List.of(),
                        Optional.empty()),
                new Decision.Outcome(
                        verdict,
                        action,
                        enforced,
                        feed,
                        verdict.equals("listed") ? "phishing" : "",
                        verdict.equals("listed") ? "evil.example" : "",
                        would),
                new Decision.Processing(
                        "550 5.7.1 refused",
                        "250 2.1.5 ok",
                        "4XYZ",
                        "20260305T010203Z",
                        Map.of("scan", 1.5),
                        Optional.empty()));
    }
}
