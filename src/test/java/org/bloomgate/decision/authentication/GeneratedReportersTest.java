package org.bloomgate.decision.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.bloomgate.Rounds;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.decision.evaluation.ConnectingClient;
import org.bloomgate.lookup.dns.DnsQuestion.RecordType;
import org.bloomgate.lookup.tier.Action;
import org.junit.jupiter.api.Test;

/// Reports that combine what a sender can write and do, two thousand of them, compared with a rule of few lines: a
/// reporter is proven by a login, by a signature of From, To and Date, or by SPF, and only with one From of the site.
class GeneratedReportersTest {
    private static final int COMBINATIONS = Rounds.of(10_000);
    private static final String CLIENT = "203.0.113.9";

    /// The From fields of a message, and the mailbox that everybody reads in them; empty if it is not of the site, or
    /// if programs could read another one.
    private enum From {
        ADDRESS("ann@corp.example", "ann@corp.example"),
        UPPER_CASE("Ann@CORP.Example", "ann@corp.example"),
        NAME("Ann <ann@corp.example>", "ann@corp.example"),
        ENCODED_NAME("=?utf-8?q?=C3=84nn?= <ann@corp.example>", "ann@corp.example"),
        FOLDED("Ann\r\n <ann@corp.example>", "ann@corp.example"),
        OWN_COMMENT("ann@corp.example (Ann)", "ann@corp.example"),
        OTHER_IN_COMMENT("ann@corp.example (x@other.example)", "ann@corp.example"),
        TAG("ann+news@corp.example", "ann+news@corp.example"),
        OTHER("x@other.example", ""),
        QUOTED_NAME("\"ann@corp.example\" <x@other.example>", ""),
        BARE_NAME("ann@corp.example <x@other.example>", ""),
        ENCODED_ADDRESS("=?utf-8?q?ann=40corp.example?= <x@other.example>", ""),
        ONLY_ENCODED("=?utf-8?q?ann=40corp.example?=", ""),
        IN_COMMENT("x@other.example (ann@corp.example)", ""),
        OPEN_COMMENT("(x@other.example) ann@corp.example (", ""),
        ROUTE("<@other.example:ann@corp.example>", ""),
        GROUP("staff: ann@corp.example;", ""),
        EMPTY_GROUP("ann@corp.example:;", ""),
        TWO_MAILBOXES("ann@corp.example, x@other.example", ""),
        TWO_ANGLES("<ann@corp.example> <x@other.example>", ""),
        TWO_AT("ann@corp.example@other.example", ""),
        BELOW("ann@sub.corp.example", ""),
        ABOVE("ann@example", ""),
        PREFIX("ann@corp.example.other.example", ""),
        SUFFIX("ann@my-corp.example", ""),
        LOOK_ALIKE("ann@c0rp.example", ""),
        CYRILLIC("ann@xn--rp-emcb.example", ""),
        LITERAL("ann@[203.0.113.9]", ""),
        NUL("ann@corp.example\0", ""),
        TWO_FIELDS("ann@corp.example\r\nFrom: ben@corp.example", ""),
        SAME_TWICE("ann@corp.example\r\nFrom: ann@corp.example", ""),
        EMPTY("", ""),
        NONE("", "") {
            @Override
            String fields() {
                return "";
            }
        };

        private final String value;
        private final Optional<String> user;

        From(String value, String user) {
            this.value = value;
            this.user = Optional.of(user).filter(address -> !address.isEmpty());
        }

        String fields() {
            return "From: " + value + "\r\n";
        }
    }

    /// The reverse-path.
    private enum Envelope {
        NULL("", ""),
        USER("ann@corp.example", "corp.example"),
        COLLEAGUE("Ben@CORP.example", "corp.example"),
        BELOW("ann@sub.corp.example", "sub.corp.example"),
        OTHER("x@other.example", "other.example"),
        PREFIX("ann@corp.example.other.example", "corp.example.other.example");

        private final String path;
        private final String domain;

        Envelope(String path, String domain) {
            this.path = path;
            this.domain = domain;
        }
    }

    /// The SPF record of every domain.
    private enum Spf {
        NONE(""),
        PASS("v=spf1 ip4:203.0.113.9 -all"),
        TOO_WIDE("v=spf1 +all"),
        NEUTRAL("v=spf1 ?all"),
        SOFTFAIL("v=spf1 ip4:192.0.2.1 ~all"),
        FAIL("v=spf1 ip4:192.0.2.1 -all"),
        PERMERROR("v=spf1 nonsense:x"),
        TEMPERROR("");

        private final String record;

        Spf(String record) {
            this.record = record;
        }
    }

    /// Authentication-Results fields, and who wrote them.
    private enum Results {
        NONE(ResultsSource.STRANGER, "", ""),
        OF_CLIENT(ResultsSource.STRANGER, "", "dkim=pass header.d=corp.example; spf=pass smtp.mailfrom=corp.example"),
        BELOW_RELAY(
                ResultsSource.TRUSTED_RELAY,
                "Received: from relay\r\nReceived: from client\r\n",
                "dkim=pass header.d=corp.example; spf=pass smtp.mailfrom=corp.example"),
        RELAY_DKIM(ResultsSource.TRUSTED_RELAY, "Received: from relay\r\n", "dkim=pass header.d=corp.example"),
        RELAY_SPF(ResultsSource.TRUSTED_RELAY, "Received: from relay\r\n", "spf=pass smtp.mailfrom=corp.example"),
        RELAY_SOFTFAIL(
                ResultsSource.TRUSTED_RELAY, "Received: from relay\r\n", "spf=softfail smtp.mailfrom=corp.example");

        private final ResultsSource source;
        private final String above;

        Results(ResultsSource source, String received, String results) {
            this.source = source;
            this.above =
                    results.isEmpty() ? "" : received + "Authentication-Results: mx.corp.example; " + results + "\r\n";
        }
    }

    private record Signed(SignatureForm dkim, From from) {}

    private record Combination(
            From from, Envelope envelope, Site site, SignatureForm dkim, Results results, boolean hasLoggedIn) {
        static Combination any(Random random) {
            return new Combination(
                    random.nextBoolean() ? From.ADDRESS : any(random, From.values()),
                    any(random, Envelope.values()),
                    new Site(any(random, Spf.values()), random.nextBoolean()),
                    any(random, SignatureForm.values()),
                    any(random, Results.values()),
                    random.nextInt(4) == 0);
        }

        private static <T> T any(Random random, T[] values) {
            return values[random.nextInt(values.length)];
        }

        /// Who reports, by the rules of the manual.
        Optional<String> expectedReporter() {
            boolean isOfUser = envelope.domain.equals("corp.example");
            if (envelope == Envelope.NULL || from.user.isEmpty() || (hasLoggedIn && !isOfUser)) {
                return Optional.empty();
            }
            boolean isByDkim = isAligned(dkim.domain);
            boolean isBySpf = site.spf == Spf.PASS && isAligned(envelope.domain);
            boolean isOfPath = hasLoggedIn || results == Results.RELAY_SPF || (isBySpf && !isByDkim);
            return isOfPath && isOfUser
                    ? Optional.of(TextForms.lowerCase(envelope.path))
                    : from.user.filter(_ -> isOfPath || isByDkim);
        }

        private boolean isAligned(String domain) {
            return domain.equals("corp.example") || (!site.isStrict && domain.equals("sub.corp.example"));
        }

        /// @param message without the results
        ReporterRig.Delivery deliver(ReporterRig rig, String message) {
            ConnectingClient client = ReporterRig.client(CLIENT, hasLoggedIn, results.source);
            return rig.deliver(client, envelope.path, results.above + message, ReporterRig.REPORTS);
        }
    }

    /// @param spf of every domain
    /// @param isStrict whether the site demands equal names (DMARC)
    private record Site(Spf spf, boolean isStrict) {}

    private static ZoneQueries zones(Site site) {
        ZoneQueries zones = new ZoneQueries()
                .with(
                        "_dmarc.corp.example",
                        RecordType.TXT,
                        "v=DMARC1; p=none" + (site.isStrict ? "; adkim=s; aspf=s" : ""))
                .with("revoked._domainkey.corp.example", RecordType.TXT, "v=DKIM1; k=ed25519; p=")
                .with("tested._domainkey.corp.example", RecordType.TXT, SignedMessage.record() + "; t=y")
                .unknown("unknown._domainkey.corp.example", RecordType.TXT, "timeout");
        for (String domain : List.of("corp.example", "sub.corp.example", "other.example")) {
            ZoneQueries _ = zones.with("x._domainkey." + domain, RecordType.TXT, SignedMessage.record());
        }
        for (Envelope envelope : Envelope.values()) {
            if (site.spf == Spf.TEMPERROR) {
                ZoneQueries _ = zones.unknown(envelope.domain, RecordType.TXT, "servfail");
            } else if (site.spf != Spf.NONE) {
                ZoneQueries _ = zones.with(envelope.domain, RecordType.TXT, site.spf.record);
            }
        }
        return zones;
    }

    @Test
    void reporter_isProvenOnlyAsTheManualSays() {
        Random random = new Random(7);
        Map<Site, ReporterRig> rigs = new HashMap<>();
        Map<Signed, String> messages = new HashMap<>();
        List<String> differences = new ArrayList<>();
        Map<Boolean, Integer> counts = new HashMap<>();
        for (int i = 0; i < COMBINATIONS; i++) {
            Combination combination = Combination.any(random);
            Optional<String> expected = combination.expectedReporter();
            ReporterRig.Delivery delivery = combination.deliver(
                    rigs.computeIfAbsent(combination.site, site -> new ReporterRig(zones(site))),
                    messages.computeIfAbsent(
                            new Signed(combination.dkim, combination.from),
                            one -> one.dkim.message(one.from.fields())));
            boolean passes = delivery.decision().enforced() == Action.PASS;
            if (!delivery.reporter().equals(expected) || passes != expected.isPresent()) {
                differences.add(combination + ": " + delivery.reporter() + " instead of " + expected + ", "
                        + delivery.decision().enforced());
            }
            counts.merge(expected.isPresent(), 1, Integer::sum);
        }
        assertEquals(List.of(), differences);
        assertTrue(counts.getOrDefault(true, 0) > COMBINATIONS / 50, () -> "few are proven: " + counts);
    }
}
