package org.bloomgate.decision.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.decision.authentication.Alignment.Result;
import org.bloomgate.decision.authentication.AuthenticationDns.OfMessage;
import org.bloomgate.lookup.dns.DnsClient;
import org.bloomgate.lookup.dns.DnsQuestion.RecordType;
import org.bloomgate.lookup.dns.DnsReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlignmentTest {
    private static final PublicSuffixes SUFFIXES = PublicSuffixes.bundled();

    private final ZoneQueries zones = new ZoneQueries();

    private Result compare(String authenticated, String claimed) {
        return new Alignment(SUFFIXES, zones).compare(authenticated, claimed, "adkim");
    }

    private AlignmentTest record(String domain, String text) {
        zones.with("_dmarc." + domain, RecordType.TXT, text);
        return this;
    }

    @Test
    void deepName_isEightQueries() {
        String deep = "a.b.c.d.e.f.g.h.i.j.mail.example.com";
        assertEquals(Result.ALIGNED, compare("example.com", deep));
        assertEquals(
                List.of(
                        "_dmarc.a.b.c.d.e.f.g.h.i.j.mail.example.com TXT",
                        "_dmarc.g.h.i.j.mail.example.com TXT",
                        "_dmarc.h.i.j.mail.example.com TXT",
                        "_dmarc.i.j.mail.example.com TXT",
                        "_dmarc.j.mail.example.com TXT",
                        "_dmarc.mail.example.com TXT",
                        "_dmarc.example.com TXT",
                        "_dmarc.com TXT"),
                zones.queried());
    }

    @ParameterizedTest
    @CsvSource({
        "a.example.com, a.example.com",
        "a.example.com, a.example.net",
        "example.com, com",
        "a.github.io, b.github.io",
        "a.co.uk, b.co.uk"
    })
    void equalNames_andNamesOfOtherOwners_costNoQuery(String authenticated, String claimed) {
        assertEquals(
                authenticated.equals(claimed) ? Result.ALIGNED : Result.NOT_ALIGNED, compare(authenticated, claimed));
        assertEquals(List.of(), zones.queried());
    }

    /// The examples of the RFC, appendix B: a bank whose suffix publishes a record.
    @Test
    void suffixWithRecord_partsItsOwners() {
        record("bank.example", "v=DMARC1; p=reject; psd=y").record("giant.bank.example", "v=DMARC1; p=reject");
        assertEquals(Result.ALIGNED, compare("mail.giant.bank.example", "giant.bank.example"));
        assertEquals(Result.NOT_ALIGNED, compare("mail.mega.bank.example", "giant.bank.example"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v=DMARC1;adkim=s|NOT_ALIGNED",
                "V = DMARC1 ; adkim = s;|NOT_ALIGNED",
                "v=DMARC1;x;=;;p;adkim=s;adkim=r|NOT_ALIGNED",
                "v=DMARC1|ALIGNED",
                "v=dmarc1; adkim=s|ALIGNED",
                "v=DMARC1 adkim=s|ALIGNED",
                "v=DMARC12; adkim=s|ALIGNED",
                "adkim=s; v=DMARC1|ALIGNED",
                "v=DM ARC1; adkim=s|ALIGNED",
                "''|ALIGNED"
            })
    void record_beginsWithItsVersion(String text, Result result) {
        record("example.com", text);
        assertEquals(result, compare("a.example.com", "example.com"));
    }

    @ParameterizedTest
    @CsvSource({"s, NOT_ALIGNED", "S, NOT_ALIGNED", "r, ALIGNED", "x, ALIGNED"})
    void strictTag_ofTheOrganizationalDomain_requiresEqualNames(String value, Result result) {
        record("example.com", "v=DMARC1; p=none; t=y; AdKim = " + value);
        assertEquals(result, compare("a.example.com", "b.example.com"));
        assertEquals(Result.ALIGNED, new Alignment(SUFFIXES, zones).compare("a.example.com", "b.example.com", "aspf"));
    }

    @Test
    void walks_countInTheQueriesOfTheMessage() {
        AuthenticationDns dns = new AuthenticationDns(new DnsClient(
                question -> CompletableFuture.completedFuture(new DnsReply.Absent(Duration.ZERO)),
                Ticker.systemTicker()));
        try (OfMessage message =
                dns.open(SUFFIXES, "example.com", Duration.ofSeconds(5)).orElseThrow()) {
            Alignment alignment = new Alignment(SUFFIXES, message);
            for (int i = 2; i < AuthenticationDns.MAX_QUERIES; i++) {
                assertEquals(Result.ALIGNED, alignment.compare("a" + i + ".example.com", "example.com", "adkim"));
                assertEquals(i + 1, message.queries());
            }
            assertEquals(Result.UNKNOWN, alignment.compare("b.example.com", "example.com", "adkim"));
        }
    }

    @Test
    void severalRecords_countAsNone() {
        zones.with("_dmarc.example.com", RecordType.TXT, "v=DMARC1; adkim=s", "v=DMARC1; adkim=s", "other");
        assertEquals(Result.ALIGNED, compare("a.example.com", "b.example.com"));
    }

    /// What a name has in the generated trees.
    private enum Level {
        NOTHING(""),
        PLAIN("v=DMARC1; p=reject"),
        TESTING("v=DMARC1; p=reject; t=y"),
        STRICT("v=DMARC1; p=none; adkim=s"),
        PSD("v=DMARC1; p=none; psd=y"),
        STRICT_PSD("v=DMARC1; adkim=s; psd=y; t=y"),
        OWN("v=DMARC1; p=none; psd=n"),
        STRICT_OWN("v=DMARC1; psd=n; adkim=s"),
        UNKNOWN_PSD("v=DMARC1; p=none; psd=u"),
        OTHER("v=spf1 -all"),
        TWO("v=DMARC1; psd=n"),
        FAILURE("");

        private final String text;

        Level(String text) {
            this.text = text;
        }

        boolean isRecord() {
            return text.startsWith("v=DMARC1") && this != TWO;
        }

        boolean isStrict() {
            return text.contains("adkim=s");
        }

        String psd() {
            int at = text.indexOf("psd=");
            return isRecord() && at >= 0 ? text.substring(at + 4, at + 5) : "u";
        }

        DnsReply reply() {
            return switch (this) {
                case NOTHING -> new DnsReply.Absent(Duration.ZERO);
                case FAILURE -> new DnsReply.Failed(DnsReply.Cause.ERROR, "SERVFAIL");
                case TWO -> new DnsReply.Found(List.of(text, "v=DMARC1; p=none"), Duration.ZERO);
                default -> new DnsReply.Found(List.of("unrelated", text), Duration.ZERO);
            };
        }
    }

    /// Pairs of names of 3 to 12 labels below `example.com` whose ancestors have records, failures or nothing, against
    /// the text of the RFC.
    @Test
    void generatedTrees_asInTheRfc() {
        Random random = new Random(9989);
        Map<Result, Integer> results = new EnumMap<>(Result.class);
        for (int i = 0; i < 20_000; i++) {
            String claimed = name(random);
            String authenticated = random.nextInt(3) == 0
                    ? claimed.substring(claimed.indexOf('.') + 1)
                    : random.nextInt(3) == 0 ? "x." + claimed : name(random);
            double density = random.nextDouble();
            boolean failures = random.nextInt(3) == 0;
            Map<String, Level> levels = new HashMap<>();
            for (String name : List.of(claimed, authenticated)) {
                for (int dot = -1; dot < name.length(); dot = next(name, dot)) {
                    levels.computeIfAbsent(name.substring(dot + 1), _ -> level(random, density, failures));
                }
            }
            List<String> queried = new ArrayList<>();
            DnsQueries dns = (name, type) -> {
                assertEquals(RecordType.TXT, type);
                queried.add(name);
                return Objects.requireNonNull(levels.get(name.substring("_dmarc.".length())))
                        .reply();
            };
            Result expected = new Rfc(levels).compare(authenticated, claimed);
            Result result = new Alignment(SUFFIXES, dns).compare(authenticated, claimed, "adkim");
            assertEquals(expected, result, () -> authenticated + " for " + claimed + ": " + levels);
            assertTrue(queried.size() <= 2 * Alignment.MAX_QUERIES, queried::toString);
            assertEquals(new HashSet<>(queried).size(), queried.size(), "each name once");
            results.merge(result, 1, Integer::sum);
        }
        assertTrue(results.values().stream().allMatch(count -> count > 2_000), results::toString);
    }

    private static int next(String name, int dot) {
        int next = name.indexOf('.', dot + 1);
        return next < 0 ? name.length() : next;
    }

    private static String name(Random random) {
        StringBuilder name = new StringBuilder();
        for (int labels = 1 + random.nextInt(10); labels > 0; labels--) {
            name.append((char) ('a' + random.nextInt(2))).append('.');
        }
        return name.append("example.com").toString();
    }

    private static Level level(Random random, double density, boolean failures) {
        if (random.nextDouble() > density) {
            return failures && random.nextInt(6) == 0 ? Level.FAILURE : Level.NOTHING;
        }
        Level[] all = Level.values();
        return all[random.nextInt(all.length - 1)];
    }

    /// The steps of RFC 9989 4.10 and 4.10.2 as the text has them, with labels numbered from right to left.
    private record Rfc(Map<String, Level> levels) {
        Result compare(String authenticated, String claimed) {
            if (authenticated.equals(claimed)) {
                return Result.ALIGNED;
            }
            List<String> ofClaimed = visited(claimed);
            if (hasFailure(ofClaimed)) {
                return Result.UNKNOWN;
            }
            if (policy(claimed, ofClaimed).filter(Level::isStrict).isPresent()) {
                return Result.NOT_ALIGNED;
            }
            List<String> ofAuthenticated = visited(authenticated);
            if (hasFailure(ofAuthenticated)) {
                return Result.UNKNOWN;
            }
            boolean applies = ofClaimed.stream().anyMatch(this::isRecord)
                    || ofAuthenticated.stream().anyMatch(this::isRecord);
            return !applies || organizational(claimed, ofClaimed).equals(organizational(authenticated, ofAuthenticated))
                    ? Result.ALIGNED
                    : Result.NOT_ALIGNED;
        }

        private Level level(String name) {
            return Objects.requireNonNull(levels.get(name));
        }

        private boolean isRecord(String name) {
            return level(name).isRecord();
        }

        private boolean hasFailure(List<String> names) {
            return names.stream().anyMatch(name -> level(name) == Level.FAILURE);
        }

        /// Steps 1 to 7.
        private List<String> visited(String start) {
            List<String> visited = new ArrayList<>(List.of(start));
            if (stops(start)) {
                return visited;
            }
            String[] labels = start.split("\\.");
            int x = labels.length;
            int remaining = x < 8 ? x - 1 : 7;
            while (remaining > 0) {
                String target = String.join(".", Arrays.copyOfRange(labels, x - remaining, x));
                visited.add(target);
                if (stops(target)) {
                    return visited;
                }
                remaining--;
            }
            return visited;
        }

        private boolean stops(String name) {
            return level(name) == Level.FAILURE || !level(name).psd().equals("u");
        }

        private String organizational(String start, List<String> visited) {
            List<String> records = visited.stream().filter(this::isRecord).toList();
            for (String name : records) {
                if (level(name).psd().equals("n")) {
                    return name;
                }
                if (level(name).psd().equals("y") && !name.equals(start)) {
                    String below = start.substring(0, start.length() - name.length() - 1);
                    return below.substring(below.lastIndexOf('.') + 1) + "." + name;
                }
            }
            return records.isEmpty() ? start : records.getLast();
        }

        private Optional<Level> policy(String author, List<String> visited) {
            String organizational = organizational(author, visited);
            return Optional.of(author)
                    .filter(this::isRecord)
                    .or(() -> Optional.of(organizational)
                            .filter(visited::contains)
                            .filter(this::isRecord))
                    .or(() -> visited.stream()
                            .filter(name -> level(name).psd().equals("y"))
                            .findFirst())
                    .map(this::level);
        }
    }
}
