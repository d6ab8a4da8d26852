package org.bloomgate.lists.format;

import java.util.List;
import java.util.Set;
import org.bloomgate.core.text.TextScan;

/// `local-zone: "name" type`, which blocks a name and everything below, and its `local-data: "name ..."`. An
/// `always_transparent` zone is an exception.
record UnboundLines() implements LineFormat {
    private static final ParsedLine NO_OPTION = new ParsedLine.Unreadable("not local-zone: \"name\" type");

    private static final String LOCAL = "local-";

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

    @Override
    public ParsedLine parse(String line) {
        String option = line.strip();
        if (option.isEmpty() || option.charAt(0) == '#' || option.equals("server:")) {
            return ParsedLine.COMMENT;
        }
        List<String> words = LineFormat.splitWords(spaced(LineFormat.withoutInlineComment(option, "#")));
        return switch (words.getFirst()) {
            case "local-zone:" -> isZone(words) ? zone(words.get(1), words.get(2)) : NO_OPTION;
            case "local-data:" -> words.size() > 2 ? ParsedLine.value(unquoted(words.get(1))) : NO_OPTION;
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
        return words.size() == 3 || (words.size() > 3 && words.get(3).equals("local-data:"));
    }

    private static ParsedLine zone(String name, String type) {
        if (BLOCKING_TYPES.contains(unquoted(type))) {
            return ParsedLine.value(unquoted(name));
        }
        return unquoted(type).equals("always_transparent")
                ? ParsedLine.exception(unquoted(name))
                : ParsedLine.unsupported("a zone type that lets names through unless their data is here");
    }

    private static String unquoted(String word) {
        return word.replace("\"", "").replace("'", "");
    }
}
