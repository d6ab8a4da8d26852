package org.bloomgate.lists.format;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// `local-zone: "name" type`, which blocks a name and everything below, and its `local-data: "name ..."`. An
/// `always_transparent` zone is an exception.
record UnboundLines() implements LineFormat {
    private static final ParsedLine NO_OPTION = new ParsedLine.Unreadable("not local-zone: \"name\" type");

    /// No blank need follow the colon.
    private static final Pattern OPTION = Pattern.compile("\\b(local-(?:zone|data):)");

    private static final Set<String> TAKES_AWAY = Set.of(
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
        List<String> words = LineFormat.words(
                OPTION.matcher(LineFormat.withoutInlineComment(option, "#")).replaceAll("$1 "));
        return switch (words.getFirst()) {
            case "local-zone:" -> isZone(words) ? zone(words.get(1), words.get(2)) : NO_OPTION;
            case "local-data:" -> words.size() > 2 ? ParsedLine.value(unquoted(words.get(1))) : NO_OPTION;
            default -> NO_OPTION;
        };
    }

    /// The data of a zone may stand on its line.
    private static boolean isZone(List<String> words) {
        return words.size() == 3 || (words.size() > 3 && words.get(3).equals("local-data:"));
    }

    private static ParsedLine zone(String name, String type) {
        if (TAKES_AWAY.contains(unquoted(type))) {
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
