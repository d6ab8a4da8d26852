package org.bloomgate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Regular expressions where strangers' text is read. `regex/kept.tsv` names each that is kept: one whose input has a
/// bound of at most 1,024 characters, or that has to match all of a text and has no unbounded quantifier within or
/// beside another. Everything else is read by loops, as a pattern that is tried again from each place of a text of
/// 20 KB takes hours.
class RegularExpressionsTest {
    private static final String ROOT = "org.bloomgate.";

    private static final String[] PACKAGES = {
        ROOT + "content..", ROOT + "core..", ROOT + "decision..", ROOT + "lists.format..", ROOT + "server.."
    };

    private static final int MAX_BOUND = 1_024;

    /// Characters of the longer text for a pattern without a bound.
    private static final int UNBOUNDED = 20_000;

    private static final double MAX_RATIO = 2.5;

    /// Calls with which a text is matched, whatever its length, beside those of a kept pattern.
    private static final Set<String> OF_STRING =
            Set.of("split", "splitWithDelimiters", "replaceAll", "replaceFirst", "matches");

    /// Where a pattern is compiled that is no constant, and what bounds it.
    private static final Map<String, String> COMPILED = Map.of(
            "core.smtp.IdentityAttribute.<init>", "the field of each constant, which the table names",
            "lists.format.HostPatterns.addWild",
                    "whole labels of a host of at most 253 characters, patterns of the operator");

    private static final JavaClasses CLASSES = MainClasses.ALL.that(JavaClass.Predicates.resideInAnyPackage(PACKAGES));

    /// @param field with its class
    /// @param how it is matched: with the `whole` text, its `start`, or each `part`
    /// @param bound of the text in characters; [#UNBOUNDED] if there is none
    /// @param sample that it matches, with a character for each class that it repeats
    /// @param reason of the bound
    record Kept(String field, String how, int bound, String sample, String reason) {

        private static Kept of(String... columns) {
            int bound = columns[2].equals("-") ? UNBOUNDED : Integer.parseInt(columns[2]);
            return new Kept(columns[0], columns[1], bound, columns[3], columns[4]);
        }

        /// The pattern, or those of the constants of an enum.
        private List<Pattern> patterns() throws ReflectiveOperationException {
            int dot = field.lastIndexOf('.');
            Class<?> type = Class.forName(ROOT + field.substring(0, dot));
            Field found = type.getDeclaredField(field.substring(dot + 1));
            found.setAccessible(true);
            List<Pattern> patterns = new ArrayList<>();
            for (Object owner : type.isEnum() ? type.getEnumConstants() : new Object[] {type}) {
                patterns.add((Pattern) found.get(owner));
            }
            return patterns;
        }

        private boolean matches(Pattern pattern, CharSequence text) {
            Matcher matcher = pattern.matcher(text);
            return switch (how) {
                case "whole" -> matcher.matches();
                case "start" -> matcher.lookingAt();
                default -> matcher.results().count() > 0;
            };
        }

        @Override
        public String toString() {
            return field;
        }
    }

    static List<Kept> kept() throws IOException {
        return KeptTable.rows("/regex/kept.tsv").stream().map(Kept::of).toList();
    }

    @Test
    void text_isMatchedByKeptPatternsOnly() {
        Set<String> others = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            Stream.concat(type.getCodeUnitCallsFromSelf().stream(), type.getCodeUnitReferencesFromSelf().stream())
                    .filter(RegularExpressionsTest::isOther)
                    .forEach(call -> others.add(
                            place(call) + " calls " + call.getTarget().getFullName()));
        }
        assertEquals(Set.of(), others);
    }

    private static boolean isOther(JavaAccess<?> call) {
        AccessTarget target = call.getTarget();
        String owner = target.getOwner().getName();
        boolean compiles =
                owner.equals(Pattern.class.getName()) && target.getName().equals("compile");
        return (owner.equals(String.class.getName()) && OF_STRING.contains(target.getName()))
                || (owner.equals(Pattern.class.getName()) && target.getName().equals("matches"))
                || owner.equals("java.util.Scanner")
                || (compiles && !call.getOrigin().getName().equals("<clinit>") && !COMPILED.containsKey(place(call)));
    }

    private static String place(JavaAccess<?> call) {
        return (call.getOriginOwner().getName() + "." + call.getOrigin().getName()).substring(ROOT.length());
    }

    /// A class has as many fields as it compiles patterns, so that none is hidden in a list.
    @Test
    void table_namesEachPattern() throws IOException {
        Map<String, Integer> compiled = new TreeMap<>();
        Map<String, Integer> fields = new TreeMap<>();
        Set<String> found = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            long calls = type.getMethodCallsFromSelf().stream()
                    .filter(call -> call.getTargetOwner().getName().equals(Pattern.class.getName()))
                    .filter(call -> call.getName().equals("compile")
                            && call.getOrigin().getName().endsWith("init>"))
                    .count();
            List<String> names = type.getFields().stream()
                    .filter(field -> field.getRawType().getName().equals(Pattern.class.getName()))
                    .map(field -> field.getFullName().substring(ROOT.length()))
                    .toList();
            if (calls > 0) {
                compiled.put(type.getName(), (int) calls);
                fields.put(type.getName(), names.size());
                found.addAll(names);
            }
        }
        assertEquals(fields, compiled);
        assertEquals(found, new TreeSet<>(kept().stream().map(Kept::field).toList()));
    }

    @Test
    void bound_isSmallOrTheWholeTextMatches() throws IOException {
        for (Kept kept : kept()) {
            assertTrue(kept.bound <= MAX_BOUND || (kept.how.equals("whole") && kept.bound == UNBOUNDED), kept.field);
            assertTrue(!kept.reason.isBlank(), kept.field);
        }
    }

    /// The sample is cut at each place, its last characters are repeated there, and what follows is a mismatch or
    /// the rest: so each class that is repeated is repeated up to the bound.
    @ParameterizedTest
    @MethodSource("kept")
    void keptPattern_readsEachCharacterAConstantNumberOfTimes(Kept kept) throws ReflectiveOperationException {
        for (Pattern pattern : kept.patterns()) {
            assertLinear(kept, pattern);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\s+(?![^(]*\\))", "\\s*x", "a*a*$", "a+a+x", "[^:]*:[^x]*x"})
    void patternThatTriesAgain_isNoticed(String again) {
        Kept kept = new Kept("", "part", 200, "a :x (a aax", "none");
        assertThrows(AssertionError.class, () -> assertLinear(kept, Pattern.compile(again)));
    }

    private static void assertLinear(Kept kept, Pattern pattern) {
        String sample = sample(kept, pattern);
        for (int at = 1; at <= sample.length(); at++) {
            for (int from = Math.max(0, at - 3); from < at; from++) {
                String run = sample.substring(from, at);
                for (String end : List.of("\u0001", sample.substring(at), sample.substring(at) + "\u0001")) {
                    assertLinear(kept, pattern, sample.substring(0, at), run, end);
                }
            }
        }
    }

    private static String sample(Kept kept, Pattern pattern) {
        return Stream.concat(Stream.of(kept.sample), Stream.of(kept.sample.split(" ")))
                .filter(sample -> kept.matches(pattern, sample))
                .findFirst()
                .orElseThrow(() -> new AssertionError(kept.field + ": no sample for " + pattern));
    }

    private static void assertLinear(Kept kept, Pattern pattern, String start, String run, String end) {
        int longer = Math.max(0, kept.bound - start.length() - end.length()) / run.length();
        long once = reads(kept, pattern, start + run.repeat(longer / 2) + end);
        long twice = reads(kept, pattern, start + run.repeat(longer) + end);
        assertTrue(
                twice <= MAX_RATIO * once + 100,
                () -> pattern + " reads " + once + " characters, then " + twice + ": " + start + " + " + run + " + "
                        + end);
    }

    private static long reads(Kept kept, Pattern pattern, String text) {
        CountedText counted = new CountedText(text);
        kept.matches(pattern, counted);
        return counted.reads;
    }

    /// Counts how often a character is asked for.
    private static final class CountedText implements CharSequence {
        private final String text;
        private long reads;

        private CountedText(String text) {
            this.text = text;
        }

        @Override
        public char charAt(int index) {
            reads++;
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }
    }
}
