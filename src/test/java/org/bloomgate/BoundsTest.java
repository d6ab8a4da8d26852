package org.bloomgate;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bloomgate.policy.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Bounds in the rooms that read mail. None is a bare number, and each constant that is one says what comes of
/// more: the name of a limit that `policy.onPartial` knows, or why nothing can hide behind it.
class BoundsTest {
    private static final List<String> ROOMS =
            List.of("archive", "contact", "document", "html", "key", "lookalike", "message");

    private static final Path SOURCES = Path.of("src/main/java/org/bloomgate");

    /// In decimal, as characters and masks are in hexadecimal or in quotes; 0, 1 and 2 are positions.
    private static final String NUMBER = "(?<![\\w.])(?:[3-9]|[1-9][0-9_]+)L?(?![\\w.])";

    private static final String ORDER = "(?<![-<>=])[<>](?![<>])=?";

    /// What is added to a position looks ahead; what is multiplied is a ratio.
    private static final Pattern COMPARED =
            Pattern.compile(ORDER + "\\s*" + NUMBER + "|(?<![+*%]\\s)" + NUMBER + "\\s*" + ORDER);

    private static final Pattern CUT = Pattern.compile("\\b(?:min|clamp|limit|split)\\(");
    private static final Pattern FIXED =
            Pattern.compile("(?:[3-9]|\\d[\\d_]+)L?|\\d[\\d_]*\\s*(?:[*+-]|<<)[\\s\\d_*+<-]+");
    private static final Pattern REPEATED = Pattern.compile("\\{\\d*,\\d{2,}\\}");
    private static final Pattern CONSTANT =
            Pattern.compile("(?:static final )?(?:int|long) ((?:MAX|MOST|LONGEST)_\\w+) =");
    private static final Pattern NAMED = Pattern.compile("limits? ((?:`\\w+`(?:,| and)? ?)+)");
    private static final Pattern NAME = Pattern.compile("`(\\w+)`");

    private static final Set<String> LIMITS =
            Arrays.stream(Limit.values()).map(Limit::label).collect(toSet());

    @Test
    void noBoundIsABareNumber() throws IOException {
        assertEquals(List.of(), inRooms(BoundsTest::bare));
    }

    @Test
    void everyBoundNamesItsLimitOrSaysWhyItHidesNothing() throws IOException {
        assertEquals(List.of(), inRooms(BoundsTest::unexplained));
        assertTrue(inRooms(BoundsTest::constants).size() > ROOMS.size(), "constants are found");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "if (length > 100) {",
                "while (i < 3 && more) {",
                "boolean long = 4096 <= text.length();",
                "int end = Math.min(text.length(), 1_000);",
                "int end = Math.clamp(size, 0, 1 << 24);",
                "int end = Math.min(4 * 1024, length);",
                "tags = value.split(\";\", 64);",
                "pieces.stream().limit(32).toList();",
                "Pattern.compile(\"a{1,400}\");"
            })
    void bareBoundsAreFound(String line) {
        assertEquals(1, bare(line).size(), line);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "if (length > MAX_CHARS) {",
                "while (i + 3 < length) {",
                "boolean ascii = c < 0x80;",
                "int bits = value >>> 15 << 3;",
                "if (size > 0 && size > 1 && odd * 8 <= kept) {",
                "int end = Math.min(text.length(), MAX_CHARS);",
                "tags = value.split(\";\", -1);",
                "call(x -> 12);",
                "// if (length > 100)",
                "say(\"length > 100\");"
            })
    void whatIsNoBoundIsNotFound(String line) {
        assertEquals(List.of(), bare(line));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "static final int MAX_PIECES = 100;",
                "/// More than any mailer writes.\nprivate static final int MAX_PIECES = 100;",
                "/// The limit `pieces`.\nprivate static final int MAX_PIECES = 100;"
            })
    void boundsWithoutALimitOrAReasonAreFound(String source) {
        assertEquals(List.of("MAX_PIECES"), unexplained(source));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/// Octets: the limit `urlBytes`.\nstatic final int MAX_OCTETS = 100;",
                "/// The limits `pdfBytes` and\n/// `archiveBytes`.\nstatic final long MAX_OCTETS = 100;",
                "/// Hides nothing: there are no more.\npublic static final int MAX_OCTETS = 100;"
            })
    void boundsWithALimitOrAReasonAreNot(String source) {
        assertEquals(List.of(), unexplained(source));
    }

    private interface Rule {
        List<String> broken(String source);
    }

    private static List<String> inRooms(Rule rule) throws IOException {
        List<String> broken = new ArrayList<>();
        for (String room : ROOMS) {
            try (Stream<Path> files = Files.walk(SOURCES.resolve(room))) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    if (file.toString().endsWith(".java")) {
                        rule.broken(Files.readString(file))
                                .forEach(found -> broken.add(room + "/" + file.getFileName() + ": " + found));
                    }
                }
            }
        }
        return broken;
    }

    private static List<String> bare(String source) {
        List<String> found = new ArrayList<>();
        for (String line : source.replaceAll("(?m)^\\s*///?.*$", "").lines().toList()) {
            String code = line.replaceAll("\"(?:\\\\.|[^\"\\\\])*\"", "\"\"")
                    .replaceAll("'(?:\\\\[^']*|[^'\\\\])'", "c")
                    .replaceAll("//.*", "");
            boolean regex = line.contains("compile(") && REPEATED.matcher(line).find();
            if (COMPARED.matcher(code).find() || cuts(code) || regex) {
                found.add(line.strip());
            }
        }
        return found;
    }

    /// True when an argument of a function that cuts is a number.
    private static boolean cuts(String code) {
        Matcher call = CUT.matcher(code);
        while (call.find()) {
            for (String argument : arguments(code, call.end())) {
                if (FIXED.matcher(argument.strip()).matches()) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<String> arguments(String code, int from) {
        List<String> arguments = new ArrayList<>();
        int open = 0;
        int start = from;
        for (int i = from; i < code.length() && open >= 0; i++) {
            char c = code.charAt(i);
            open += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (open < 0 || (open == 0 && c == ',')) {
                arguments.add(code.substring(start, i));
                start = i + 1;
            }
        }
        return arguments;
    }

    private static List<String> constants(String source) {
        return CONSTANT.matcher(source).results().map(found -> found.group(1)).toList();
    }

    private static List<String> unexplained(String source) {
        List<String> found = new ArrayList<>();
        List<String> doc = new ArrayList<>();
        for (String line : source.lines().map(String::strip).toList()) {
            Matcher constant = CONSTANT.matcher(line);
            if (line.startsWith("///")) {
                doc.add(line.substring(3).strip());
                continue;
            }
            if (constant.find() && !isExplained(doc.stream().collect(joining(" ")))) {
                found.add(constant.group(1));
            }
            doc.clear();
        }
        return found;
    }

    private static boolean isExplained(String doc) {
        Set<String> names = new TreeSet<>();
        NAMED.matcher(doc)
                .results()
                .map(MatchResult::group)
                .forEach(all -> NAME.matcher(all).results().forEach(name -> names.add(name.group(1))));
        return doc.contains("Hides nothing") || (!names.isEmpty() && LIMITS.containsAll(names));
    }
}
