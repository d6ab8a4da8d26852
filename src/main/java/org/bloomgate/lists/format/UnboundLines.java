package org.bloomgate.lists.format;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.lists.fetch.PhysicalLines;

/// `local-zone: "name" type`, which blocks a name and everything below, and its `local-data: "name ..."`. A zone whose
/// names are resolved as usual is an exception. It is none if there is data for its name, which is answered instead,
/// unless the type is `always_transparent`. The data may be anywhere in the feed, which is therefore read before its
/// entries are.
///
/// @param exceptedZones names of zones that are exceptions, in lower case
record UnboundLines(Set<String> exceptedZones) implements LineFormat {
    /// The most zones whose data is looked for. Beyond this number, no zone is an exception, and none is listed.
    static final int MAX_ZONES = 100_000;

    static final UnboundLines WITHOUT_EXCEPTIONS = new UnboundLines(Set.of());

    private static final ParsedLine NO_OPTION = new ParsedLine.Unreadable("not local-zone: \"name\" type");

    private static final Set<String> TRANSPARENT_TYPES = Set.of("transparent", "typetransparent", "inform");

    private static final String LOCAL = "local-";
    private static final String ZONE = "local-zone:";
    private static final String DATA = "local-data:";

    private static final Set<String> BLOCKING_TYPES = Set.of(
            "deny",
            "refuse",
            "static",
            "redirect",
            "inform_deny",
            "inform_redirect",
            "always_refuse",
            "always_nxdomain",
            "always_nodata",
            "always_deny",
            "always_null");

    /// Reads the zones that are exceptions.
    static UnboundLines read(FeedReader.Content unpacked) throws IOException {
        Set<String> zones = new HashSet<>();
        forEachOption(unpacked, UnboundLines::mayBeTransparent, words -> {
            boolean isTransparent = isZone(words) && TRANSPARENT_TYPES.contains(unquoted(words.get(2)));
            if (isTransparent && zones.size() <= MAX_ZONES) {
                zones.add(name(words.get(1)));
            }
        });
        if (zones.isEmpty() || zones.size() > MAX_ZONES) {
            return WITHOUT_EXCEPTIONS;
        }
        forEachOption(unpacked, _ -> true, words -> {
            int data = words.indexOf(DATA);
            if (data >= 0 && data + 1 < words.size()) {
                zones.remove(name(words.get(data + 1)));
            }
        });
        return new UnboundLines(Set.copyOf(zones));
    }

    private static void forEachOption(
            FeedReader.Content unpacked, Predicate<PhysicalLines> which, Consumer<List<String>> visitor)
            throws IOException {
        try (InputStream content = unpacked.open()) {
            PhysicalLines lines = new PhysicalLines(content);
            while (lines.next()) {
                String option = which.test(lines) ? lines.text().strip() : "";
                if (option.startsWith(LOCAL)) {
                    visitor.accept(splitWords(option));
                }
            }
        }
    }

    /// Whether the bytes of a line contain `sp`, as in `transparent`, or `fo`, as in `inform`. Other types do not.
    private static boolean mayBeTransparent(PhysicalLines lines) {
        byte[] bytes = lines.bytes();
        for (int i = 1; i < lines.length(); i++) {
            if ((bytes[i] == 'p' && bytes[i - 1] == 's') || (bytes[i] == 'o' && bytes[i - 1] == 'f')) {
                return true;
            }
        }
        return false;
    }

    private static List<String> splitWords(String option) {
        return LineFormat.splitWords(spaced(LineFormat.withoutInlineComment(option, "#")));
    }

    @Override
    public ParsedLine parse(String line) {
        String option = line.strip();
        if (option.isEmpty() || option.charAt(0) == '#' || option.equals("server:")) {
            return ParsedLine.COMMENT;
        }
        List<String> words = splitWords(option);
        return switch (words.getFirst()) {
            case ZONE -> isZone(words) ? zone(words.get(1), words.get(2)) : NO_OPTION;
            case DATA -> words.size() > 2 ? ParsedLine.value(unquoted(words.get(1))) : NO_OPTION;
            default -> NO_OPTION;
        };
    }

    /// Inserts a blank after the colon of an option, which may be missing.
    private static String spaced(String line) {
        StringBuilder spaced = new StringBuilder();
        int from = 0;
        for (int at = line.indexOf(LOCAL); at >= 0; at = line.indexOf(LOCAL, at + 1)) {
            int colon = at + LOCAL.length() + 4;
            boolean option = line.startsWith("zone:", colon - 4) || line.startsWith("data:", colon - 4);
            if (option && (at == 0 || !isOfWord(line.charAt(at - 1)))) {
                spaced.append(line, from, colon + 1).append(' ');
                from = colon + 1;
            }
        }
        return spaced.append(line, from, line.length()).toString();
    }

    private static boolean isOfWord(char c) {
        return TextScan.isLetter(c) || TextScan.isDigit(c) || c == '_';
    }

    /// The data of a zone may be on the same line.
    private static boolean isZone(List<String> words) {
        return words.getFirst().equals(ZONE)
                && (words.size() == 3 || (words.size() > 3 && words.get(3).equals(DATA)));
    }

    private ParsedLine zone(String name, String type) {
        if (BLOCKING_TYPES.contains(unquoted(type))) {
            return ParsedLine.value(unquoted(name));
        }
        boolean isException = TRANSPARENT_TYPES.contains(unquoted(type))
                ? exceptedZones.contains(name(name))
                : unquoted(type).equals("always_transparent");
        return isException
                ? ParsedLine.exception(unquoted(name))
                : ParsedLine.unsupported("a zone type that lets names through unless their data is here");
    }

    /// The name of a word, in the form in which names are compared.
    private static String name(String word) {
        String name = TextForms.lowerCase(unquoted(word));
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    private static String unquoted(String word) {
        return word.replace("\"", "").replace("'", "");
    }
}
