package org.bloomgate.feed;

/// Network rules of ad blockers, of which only `||name^` says "this name and everything below". Exceptions, options,
/// patterns and cosmetic rules mean something else and are never guessed.
record AdblockLines() implements LineFormat {

    @Override
    public ParsedLine parse(String line) {
        String rule = line.strip();
        if (rule.isEmpty() || rule.charAt(0) == '!' || isHeader(rule) || isHashComment(rule)) {
            return ParsedLine.COMMENT;
        }
        if (rule.startsWith("@@")) {
            return ParsedLine.unsupported("an exception rule");
        }
        if (rule.contains("##") || rule.contains("#@#") || rule.contains("#?#") || rule.contains("#$#")) {
            return ParsedLine.unsupported("a cosmetic rule");
        }
        if (rule.indexOf('$') >= 0) {
            return ParsedLine.unsupported("a rule with options");
        }
        if (!rule.startsWith("||")) {
            return ParsedLine.unsupported("a rule that does not begin with ||");
        }
        String rest = rule.endsWith("|") ? rule.substring(2, Math.max(2, rule.length() - 1)) : rule.substring(2);
        return rest.endsWith("^")
                ? ParsedLine.value(rest.substring(0, rest.length() - 1))
                : ParsedLine.unsupported("a rule that does not end with ^");
    }

    private static boolean isHeader(String rule) {
        return rule.startsWith("[Ad") && rule.endsWith("]");
    }

    private static boolean isHashComment(String rule) {
        return rule.equals("#") || rule.startsWith("# ");
    }
}
