package org.bloomgate.server.dns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.bloomgate.Rounds;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.PublicSuffixes;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/// Random names against a set of strings: what is listed, what has listed names below it, and the rest. Questions are
/// made and answers read by a library of others; a false positive of the parents' filter is counted, not denied.
class DnsOracleTest {
    private static final int ROUNDS = Rounds.of(20_000);
    private static final List<String> LABELS = List.of("a", "b", "c", "www", "mail", "x-1", "_dmarc", "xn--p1ai", "9");
    private static final List<String> TOPS = List.of("example", "com", "co.uk", "test-zone.example", "github.io");

    private final SplittableRandom random = new SplittableRandom(20260104);

    @Test
    void randomName_isAnsweredAsTheSetSays() {
        Set<String> suffixes = new TreeSet<>();
        Set<String> exact = new TreeSet<>();
        ListedHosts hosts = new ListedHosts();
        for (int i = 0; i < 300; i++) {
            String name = name(1 + random.nextInt(4));
            boolean listable = !PublicSuffixes.bundled().isPublicSuffix(name);
            if (listable && random.nextBoolean()) {
                suffixes.add(name);
                hosts.lists(name, "s", "phishing", Match.SUFFIX);
            } else if (listable) {
                exact.add(name);
                hosts.lists(name, "e", "phishing", Match.EXACT);
            }
        }
        Asking asking = new Asking(hosts.inForce());
        int falseParents = 0;
        int[] seen = new int[3];
        for (int i = 0; i < ROUNDS; i++) {
            String name = name(random.nextInt(5));
            int type = random.nextBoolean() ? Type.A : Type.TXT;
            Message question = Asking.question(mixedCase(name) + "." + Asking.ZONE, type);
            if (random.nextBoolean()) {
                Asking.withEdns(question, random.nextInt(65_536), 0);
            }
            Message answer = asking.ask(question);
            assertEquals(question.getQuestion(), answer.getQuestion());
            boolean listed = exact.contains(name) || selfAndAbove(name).stream().anyMatch(suffixes::contains);
            boolean parent = hasBelow(suffixes, name) || hasBelow(exact, name);
            String said = Asking.summary(answer);
            if (listed) {
                String data = type == Type.A ? "127.0.0.2" : "\"listed " + name + " phishing\"";
                assertEquals("NOERROR " + data, said);
                seen[0]++;
            } else if (!parent && said.equals("NOERROR")) {
                falseParents++;
            } else {
                assertEquals(parent ? "NOERROR" : "NXDOMAIN", said, name);
                assertEquals(1, answer.getSection(Section.AUTHORITY).size());
                seen[parent ? 1 : 2]++;
            }
        }
        int total = falseParents;
        assertTrue(total <= ROUNDS / 200, () -> total + " false parents");
        assertTrue(Math.min(seen[0], Math.min(seen[1], seen[2])) > ROUNDS / 100, "every answer was given");
    }

    private String name(int labels) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < labels; i++) {
            parts.add(LABELS.get(random.nextInt(LABELS.size())));
        }
        parts.add(TOPS.get(random.nextInt(TOPS.size())));
        return String.join(".", parts);
    }

    private String mixedCase(String name) {
        StringBuilder mixed = new StringBuilder();
        name.chars().forEach(c -> mixed.append((char) (random.nextBoolean() ? Character.toUpperCase(c) : c)));
        return mixed.toString();
    }

    private static List<String> selfAndAbove(String name) {
        List<String> all = new ArrayList<>(List.of(name));
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
            all.add(name.substring(dot + 1));
        }
        return all;
    }

    private static boolean hasBelow(Set<String> names, String name) {
        return names.stream().anyMatch(listed -> listed.endsWith("." + name));
    }
}
