package org.bloomgate.journal;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.journal.Decision.Found;

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

    private static Decision decision(String token, String verdict, String action) {
        return new Decision(
                NOON,
                token,
                "192.0.2.7",
                "mail.example",
                "",
                "a@sender.example",
                List.of("b@rcpt.example"),
                List.of("c@rcpt.example: 550 5.1.1 unknown"),
                "<1@sender.example>",
                "Hello",
                "A <a@sender.example>",
                1_234,
                20,
                1,
                List.of(new Found(
                        "domain",
                        "evil.example",
                        "link",
                        "listed",
                        "evil.example",
                        "sample",
                        "phishing",
                        Optional.of(Instant.parse("2026-03-01T00:00:00Z")),
                        "")),
                List.of("parts"),
                List.of(),
                verdict,
                action,
                action,
                verdict.equals("listed") ? "sample" : "",
                verdict.equals("listed") ? "phishing" : "",
                verdict.equals("listed") ? "evil.example" : "",
                Map.of(),
                "550 5.7.1 refused",
                "250 2.1.5 ok",
                "4XYZ",
                "20260305T010203Z",
                Map.of("scan", 1.5));
    }
}
