package org.bloomgate.core.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UProperty;
import com.ibm.icu.text.Normalizer2;
import com.ibm.icu.text.SpoofChecker;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextFormsTest {
    private static final int CHARS = 128 * 1024;

    /// Above twice the time for twice the text, for a busy machine; quadratic functions need four times.
    private static final double MOST = 3;

    /// Below it, the ratio says nothing. Quadratic functions take seconds for this much text.
    private static final long TOO_SHORT_NANOS = 60_000_000;

    private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /// Every function of the class.
    private static final Map<String, UnaryOperator<String>> FUNCTIONS = Map.of(
            "lowerCase", TextForms::lowerCase,
            "upperCase", TextForms::upperCase,
            "composed", TextForms::composed,
            "decomposed", TextForms::decomposed,
            "folded", text -> TextForms.folded(text, new StringBuilder()).toString(),
            "skeleton", TextForms::skeleton,
            "visible", text -> TextForms.visible(text).toString(),
            "aLabels", text -> TextForms.aLabels(text).orElse(""),
            "uLabels", TextForms::uLabels);

    /// What is repeated, behind what it begins with.
    private static Map<String, String> runs() {
        Map<String, String> runs = new LinkedHashMap<>();
        String letter = "a";
        for (String unit : new String[] {
            "\u0300\u0316",
            "\u0300\u00ad\u0316",
            "\uff9e\u0316",
            "\u309c\u0316",
            "\u0f71\u0f72\u0f74",
            "\ud834\udd65\ud834\udd6d",
            "\ufdfa",
            "\u1100",
            "\u1161",
            "\u1100\u1161\u11a8",
            "\uac01",
            "\udb40\udc61",
            "\ufe0f",
            "\u200d",
            "a\u200d",
            "\u03a3",
            "\u03a3\u0301",
            "a\u03a3.",
            "\u0130",
            "\u00df",
            "\u1f82",
            "\u0e40\u0e01",
            "\u0915\u094d",
            "\ud83c\udde6",
            "\u00e9.",
            "xn--a-ecp.",
            "xn--",
            "xn--zzzzzzzz"
        }) {
            runs.put(unit, letter);
        }
        runs.put("\u03a3 ", "A" + "\u0301".repeat(CHARS / 2));
        return runs;
    }

    static Stream<String> functions() {
        return FUNCTIONS.keySet().stream();
    }

    @Test
    void everyFunction_isMeasured() {
        assertEquals(
                Stream.of(TextForms.class.getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers()))
                        .map(Method::getName)
                        .collect(Collectors.toSet()),
                FUNCTIONS.keySet());
    }

    @ParameterizedTest
    @MethodSource("functions")
    void worstRuns_takeLinearTime(String name) {
        UnaryOperator<String> function = Objects.requireNonNull(FUNCTIONS.get(name));
        runs().forEach((unit, before) -> {
            String whole = before + unit.repeat(CHARS / unit.length());
            String half = before + unit.repeat(CHARS / 2 / unit.length());
            long most = TOO_SHORT_NANOS;
            for (int attempt = 0; attempt < 3; attempt++) {
                most = Math.max(TOO_SHORT_NANOS, (long) (MOST * nanos(function, half)));
                if (nanos(function, whole) <= most) {
                    return;
                }
            }
            throw new AssertionError(name + " of " + unit + " takes more than " + most / 1_000_000 + " ms");
        });
    }

    private static long nanos(UnaryOperator<String> function, String text) {
        long before = THREAD.getCurrentThreadCpuTime();
        String _ = function.apply(text);
        return THREAD.getCurrentThreadCpuTime() - before;
    }

    /// So that a run of marks ends where it is counted as ended.
    @Test
    void characterThatIsNoMark_endsTheRun() {
        SpoofChecker checker = new SpoofChecker.Builder().build();
        Normalizer2 mapping = Normalizer2.getInstance(null, "uts46", Normalizer2.Mode.COMPOSE);
        for (int c = 0x80; c <= Character.MAX_CODE_POINT; c++) {
            String text = Character.toString(c);
            if (mayBeMapped(c) && resets(text)) {
                assertTrue(holdsStarter(Normalizer2.getNFDInstance().normalize(text)), () -> "NFD " + text);
                assertTrue(holdsStarter(Normalizer2.getNFKCCasefoldInstance().normalize(text)), () -> "NFKC " + text);
                assertTrue(holdsStarter(mapping.normalize(text)), () -> "UTS 46 " + text);
                assertTrue(holdsStarter(checker.getSkeleton(text)), () -> "UTS 39 " + text);
            }
        }
    }

    /// No version of Unicode maps an unassigned or private character: of these one in sixteen is enough.
    private static boolean mayBeMapped(int c) {
        return switch (Character.getType(c)) {
            case Character.SURROGATE -> false;
            case Character.UNASSIGNED, Character.PRIVATE_USE -> c % 16 == 0;
            default -> true;
        };
    }

    private static boolean resets(String text) {
        String marks = "\u0316".repeat(TextForms.MAX_MARKS);
        return TextForms.composed(marks + text + marks).length() >= 2 * TextForms.MAX_MARKS;
    }

    private static boolean holdsStarter(String form) {
        return form.codePoints()
                .anyMatch(c -> UCharacter.getCombiningClass(c) == 0
                        && !UCharacter.hasBinaryProperty(c, UProperty.DEFAULT_IGNORABLE_CODE_POINT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Jane",
                "\u00c9\u00d6",
                "\u039d\u0399\u039a\u039f\u03a3 \u03a3",
                "\u0130x",
                "stra\u00dfe",
                "\ud801\udc00"
            })
    void caseMapping_isThatOfTheRootLocale(String text) {
        assertEquals(text.toLowerCase(Locale.ROOT), TextForms.lowerCase(text));
        assertEquals(text.toUpperCase(Locale.ROOT), TextForms.upperCase(text));
    }

    @Test
    void marks_countUpToTheirBound() {
        String most = "q" + "\u0316".repeat(TextForms.MAX_MARKS);
        assertSame(most, TextForms.composed(most));
        assertEquals(most + "x", TextForms.composed(most + "\u0316x"));
        assertEquals(most + "\u00adx", TextForms.composed(most + "\u00ad\u0300x"));
    }

    @Test
    void labelTooLongForDns_staysAsItIs() {
        String rest = ".b\u00fccher.example";
        String most = "\u00fc".repeat(TextForms.MAX_MAPPED_CHARS);
        assertTrue(TextForms.aLabels(most + rest).orElseThrow().startsWith("xn--"));
        for (String junk : new String[] {
            most + "\u00fc", "\ufdfa".repeat(8), "a".repeat(64) + ".\u00fc", "\u00fc" + ".a".repeat(126)
        }) {
            String start = junk.substring(0, 1);
            assertEquals(start, TextForms.aLabels(junk + rest).orElseThrow().substring(0, 1));
            assertTrue(TextForms.aLabels(junk + rest).orElseThrow().endsWith(".xn--bcher-kva.example"), junk);
        }
    }
}
