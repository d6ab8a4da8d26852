package org.bloomgate.lists.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.bloomgate.core.key.Match;
import org.bloomgate.lists.export.Statement.Excepted;
import org.bloomgate.lists.export.Statement.Listed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameRecordsTest {
    private static final RpzAction NXDOMAIN = RpzAction.NXDOMAIN;
    private static final RpzAction NODATA = RpzAction.of("nodata");
    private static final List<RpzAction> ACTIONS =
            List.of(NXDOMAIN, NODATA, RpzAction.of("drop"), RpzAction.of("cname:warning.example"));

    private final Map<String, List<Statement>> statements = new HashMap<>();

    private void says(String name, Statement statement) {
        statements.computeIfAbsent(name, _ -> new ArrayList<>()).add(statement);
    }

    private static Listed listed(String feed, Match match, RpzAction action) {
        return new Listed(feed, "phishing", match, action, false);
    }

    private static Excepted excepted(Optional<String> feed, Match match) {
        return new Excepted(feed, Optional.empty(), match, false, false);
    }

    /// Records by owner.
    private Map<String, RpzAction> records() throws IOException {
        Map<String, RpzAction> records = new TreeMap<>();
        NameRecords names = new NameRecords((name, itself, below) -> {
            if (!itself.equals(RpzAction.NONE)) {
                assertEquals(null, records.put(name, itself), name);
            }
            if (!below.equals(RpzAction.NONE)) {
                assertEquals(null, records.put("*." + name, below), name);
            }
        });
        Map<byte[], List<Statement>> sorted = new TreeMap<>(Arrays::compareUnsigned);
        statements.forEach((name, about) -> sorted.put(ReversedName.of(name), about));
        for (Map.Entry<byte[], List<Statement>> one : sorted.entrySet()) {
            names.add(one.getKey(), one.getValue());
        }
        return records;
    }

    @Test
    void suffixAndExactListing_haveTheirRecords() throws IOException {
        says("bad.example", listed("a", Match.SUFFIX, NXDOMAIN));
        says("one.bad.example", listed("a", Match.SUFFIX, NXDOMAIN));
        says("page.other.example", listed("a", Match.EXACT, NODATA));

        assertEquals("{*.bad.example=nxdomain, bad.example=nxdomain, page.other.example=nodata}", records() + "");
    }

    @Test
    void otherActionBelow_writesTheNamesBetween() throws IOException {
        says("bad.example", listed("a", Match.SUFFIX, NODATA));
        says("x.y.bad.example", listed("b", Match.SUFFIX, NXDOMAIN));

        assertEquals(
                "{*.bad.example=nodata, *.x.y.bad.example=nxdomain, *.y.bad.example=nodata, bad.example=nodata,"
                        + " x.y.bad.example=nxdomain, y.bad.example=nodata}",
                records() + "");
    }

    @Test
    void exceptionForOneFeed_leavesThatFeedOut() throws IOException {
        says("bad.example", listed("a", Match.SUFFIX, NXDOMAIN));
        says("bad.example", excepted(Optional.of("a"), Match.SUFFIX));
        says("two.example", listed("a", Match.SUFFIX, NXDOMAIN));
        says("good.two.example", excepted(Optional.of("a"), Match.SUFFIX));
        says("free.example", excepted(Optional.empty(), Match.SUFFIX));

        assertEquals(
                "{*.free.example=passthru, *.good.two.example=passthru, *.two.example=nxdomain, free.example=passthru,"
                        + " good.two.example=passthru, two.example=nxdomain}",
                records() + "");
    }

    /// An oracle that reads the rules to the letter, and one that answers as RFC 1034, section 4.3.2 and RFC
    /// 4592 say.
    @ParameterizedTest
    @CsvSource({"1, 40", "2, 200", "3, 1000", "4, 60", "5, 400", "6, 700"})
    void resolverWithTheZone_agreesWithTheLists(int seed, int count) throws IOException {
        Random random = new Random(seed);
        Set<String> names = new LinkedHashSet<>();
        while (names.size() < count) {
            String name = "example";
            for (int depth = 1 + random.nextInt(6); depth > 0; depth--) {
                name = "abcd".charAt(random.nextInt(4)) + (random.nextInt(3) == 0 ? "x" : "") + "." + name;
            }
            names.add(name);
        }
        for (String name : names) {
            Match match = random.nextBoolean() ? Match.SUFFIX : Match.EXACT;
            String feed = random.nextBoolean() ? "a" : "b";
            switch (random.nextInt(6)) {
                case 0 -> says(name, excepted(Optional.empty(), match));
                case 1 -> says(name, excepted(Optional.of(feed), match));
                case 2 -> says(name, new Excepted(Optional.of(feed), Optional.empty(), Match.SUFFIX, false, true));
                default -> says(name, listed(feed, match, ACTIONS.get(random.nextInt(ACTIONS.size()))));
            }
            if (random.nextInt(3) == 0) {
                says(name, listed("b", match, ACTIONS.get(random.nextInt(ACTIONS.size()))));
            }
        }
        Map<String, RpzAction> records = records();
        Set<String> asked = new LinkedHashSet<>(names);
        names.forEach(name -> {
            asked.add("q." + name);
            asked.add("a.q." + name);
            asked.add(name.substring(name.indexOf('.') + 1));
        });
        int blocked = 0;
        for (String name : asked) {
            RpzAction expected = expected(name);
            RpzAction answered = resolved(name, records);
            assertEquals(expected, answered.blocks() ? answered : RpzAction.NONE, name);
            blocked += expected.blocks() ? 1 : 0;
        }
        assertTrue(blocked > asked.size() / 10 && blocked < asked.size(), blocked + " of " + asked.size());
    }

    private RpzAction expected(String asked) {
        RpzAction hardest = RpzAction.NONE;
        for (Map.Entry<String, List<Statement>> at : statements.entrySet()) {
            for (Statement one : at.getValue()) {
                if (one instanceof Listed listed
                        && covers(at.getKey(), one, asked)
                        && !isOverridden(listed, at.getKey(), asked)
                        && listed.action().compareTo(hardest) > 0) {
                    hardest = listed.action();
                }
            }
        }
        return hardest;
    }

    private boolean isOverridden(Listed listed, String listedAt, String asked) {
        return statements.entrySet().stream()
                .anyMatch(at -> at.getValue().stream()
                        .anyMatch(one -> one instanceof Excepted exception
                                && covers(at.getKey(), one, asked)
                                && exception.overrides(
                                        listed, listedAt.length() > at.getKey().length())));
    }

    private static boolean covers(String at, Statement statement, String asked) {
        return asked.equals(at) || (statement.match() == Match.SUFFIX && asked.endsWith("." + at));
    }

    private static RpzAction resolved(String asked, Map<String, RpzAction> records) {
        if (exists(asked, records)) {
            return records.getOrDefault(asked, RpzAction.NONE);
        }
        String encloser = asked;
        while (!exists(encloser, records)) {
            int dot = encloser.indexOf('.');
            if (dot < 0) {
                return RpzAction.NONE;
            }
            encloser = encloser.substring(dot + 1);
        }
        return records.getOrDefault("*." + encloser, RpzAction.NONE);
    }

    /// A name exists if it or a name below it has a record.
    private static boolean exists(String name, Map<String, RpzAction> records) {
        return records.keySet().stream().anyMatch(owner -> owner.equals(name) || owner.endsWith("." + name));
    }
}
