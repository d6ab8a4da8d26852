package org.bloomgate.feed;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `local-zone: "name" type`, which takes a name and everything below away, and `local-data: "name ..."` beside it.
record UnboundLines() implements LineFormat {
    private static final Pattern OPTION =
            Pattern.compile("(local-zone|local-data):\\s*[\"']?([^\"'\\s]+)[^\"']*[\"']?\\s*(\\w*)\\s*(?:#.*)?");

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
        Matcher matcher = OPTION.matcher(option);
        if (!matcher.matches()) {
            return new ParsedLine.Unreadable("not local-zone: \"name\" type");
        }
        boolean zone = matcher.group(1).equals("local-zone");
        return !zone || TAKES_AWAY.contains(matcher.group(3))
                ? ParsedLine.value(matcher.group(2))
                : ParsedLine.unsupported("a zone type that lets names through");
    }
}
