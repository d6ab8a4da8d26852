package org.bloomgate.decision.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.bloomgate.decision.authentication.AuthenticationResults.Claim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuthenticationResultsTest {
    private static final String ID = "mx.corp.example; ";
    private static final List<String> RESULTS =
            List.of("pass", "PASS", "fail", "neutral", "permerror", "policy", "temperror");

    private static List<Claim> claims(String... fields) {
        return AuthenticationResults.claims(List.of(fields), Set.of("mx.corp.example"));
    }

    /// Up to three fields with up to four results each, of one or two domains.
    @Test
    void results_ofFields_haveOneClaimForEachDomain() {
        Random random = new Random(6376);
        for (int i = 0; i < 5_000; i++) {
            List<List<String>> fields = new ArrayList<>();
            List<String> texts = new ArrayList<>();
            for (int left = 1 + random.nextInt(3); left > 0; left--) {
                List<String> results = new ArrayList<>();
                List<String> parts = new ArrayList<>();
                for (int part = random.nextInt(5); part > 0; part--) {
                    results.add(RESULTS.get(random.nextInt(RESULTS.size())));
                    parts.add("dkim=" + results.getLast() + " (2048-bit; key) "
                            + List.of("header.d=partner.example", "header.i=@Partner.example header.s=x")
                                    .get(random.nextInt(2)));
                }
                parts.add("dkim=fail header.d=other.example");
                Collections.shuffle(parts, random);
                fields.add(results);
                texts.add(ID + String.join("; ", parts));
            }

            assertEquals(expected(fields), claims(texts.toArray(String[]::new)), texts.toString());
        }
    }

    private static List<Claim> expected(List<List<String>> fields) {
        List<String> strongest = fields.stream()
                .filter(results -> !results.isEmpty())
                .map(results -> results.stream().anyMatch("pass"::equalsIgnoreCase)
                        ? "pass"
                        : results.contains("temperror") ? "temperror" : "fail")
                .distinct()
                .toList();
        return strongest.size() == 1 && !strongest.contains("fail")
                ? List.of(new Claim("dkim", "partner.example", strongest.contains("pass")))
                : List.of();
    }

    @ParameterizedTest
    @CsvSource({
        "dkim=pass header.i=@partner.example, partner.example",
        "dkim=pass header.i=sales@MAIL.partner.example, mail.partner.example",
        "dkim=pass header.i=\"@partner.example\" header.s=x header.b=ab/=, partner.example",
        "dkim=pass header.i=@stranger.example header.d=partner.example, partner.example",
        "dkim=pass header.d=partner.example header.i=@stranger.example, partner.example",
        "dkim=pass header.i=@a.example header.i=@partner.example, ''",
        "dkim=pass header.from=partner.example, ''",
        "spf=pass header.i=@partner.example, ''",
        "dmarc=pass header.i=@partner.example, ''"
    })
    void domain_ofSignature_isThatOfTheFirstProperty(String result, String domain) {
        assertEquals(domain.isEmpty() ? List.of() : List.of(new Claim("dkim", domain, true)), claims(ID + result));
    }

    @ParameterizedTest
    @CsvSource({"99, true", "100, false"})
    void results_atAndBeyondBound_areReadAndNot(int before, boolean read) {
        String field = ID + "dkim=none header.d=a.example; ".repeat(before) + "dkim=pass header.d=partner.example";

        assertEquals(read ? 1 : 0, claims(field).size());
    }
}
