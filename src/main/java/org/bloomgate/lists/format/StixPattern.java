package org.bloomgate.lists.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.lists.fetch.PhysicalLines;

/// A pattern of STIX 2.1 (section 9) in which each single value is bad: `[url:value = 'x']`, joined by `OR`, or
/// `IN ('x', 'y')`, and for networks `ISSUBSET 'x/24'`. A pattern that requires several conditions at once, or
/// anything but equality, does not list a single value.
final class StixPattern {
    private static final ParsedLine BEYOND =
            ParsedLine.unsupported("a pattern that is not a choice between values, joined by OR");

    private static final Map<String, KeyKind> KINDS = Map.of(
            "domain-name:value", KeyKind.DOMAIN,
            "url:value", KeyKind.URL,
            "email-addr:value", KeyKind.ADDRESS,
            "email-message:from_ref.value", KeyKind.ADDRESS,
            "email-message:sender_ref.value", KeyKind.ADDRESS,
            "ipv4-addr:value", KeyKind.NETWORK,
            "ipv6-addr:value", KeyKind.NETWORK,
            "file:hashes.sha-256", KeyKind.HASH,
            "file:hashes.sha256", KeyKind.HASH,
            "artifact:hashes.sha-256", KeyKind.HASH);

    private static final Set<String> OPENING = Set.of("[", "(");
    private static final Set<String> CLOSING = Set.of("]", ")");

    /// Stands before the text of a literal among the tokens.
    private static final char LITERAL = '\'';

    private final String pattern;
    private int at;

    private StixPattern(String pattern) {
        this.pattern = pattern;
    }

    static ParsedLine read(String pattern, FeedKind feed) {
        if (pattern.length() > PhysicalLines.MAX_BYTES) {
            return new ParsedLine.Unreadable("longer than " + PhysicalLines.MAX_BYTES + " characters");
        }
        return new StixPattern(pattern)
                .indicators()
                .map(all -> Indicator.of(all, feed))
                .orElse(BEYOND);
    }

    /// The indicators of the pattern; empty if it is not a choice between values.
    private Optional<List<Indicator>> indicators() {
        List<String> tokens = tokens();
        List<Indicator> indicators = new ArrayList<>();
        int brackets = 0;
        int next = 0;
        while (next < tokens.size()) {
            while (next < tokens.size() && OPENING.contains(tokens.get(next))) {
                brackets++;
                next++;
            }
            int end = brackets == 0 ? -1 : comparison(tokens, next, indicators);
            if (end < 0) {
                return Optional.empty();
            }
            while (end < tokens.size() && CLOSING.contains(tokens.get(end))) {
                brackets--;
                end++;
            }
            boolean last = end == tokens.size();
            if (!last && !tokens.get(end).equals("OR")) {
                return Optional.empty();
            }
            next = last ? end : end + 1;
            if (!last && next == tokens.size()) {
                return Optional.empty();
            }
        }
        return brackets == 0 && !tokens.isEmpty() ? Optional.of(indicators) : Optional.empty();
    }

    /// `path = 'value'` or `path IN ('value', ..)`.
    ///
    /// @return the position after it, or -1
    private static int comparison(List<String> tokens, int from, List<Indicator> indicators) {
        if (from + 2 >= tokens.size()) {
            return -1;
        }
        Optional<KeyKind> kind = Optional.ofNullable(KINDS.get(path(tokens.get(from))));
        String operator = tokens.get(from + 1);
        boolean network = kind.filter(KeyKind.NETWORK::equals).isPresent();
        if (operator.equals("=") || (network && operator.equals("ISSUBSET"))) {
            return literal(tokens.get(from + 2), kind, indicators) ? from + 3 : -1;
        }
        int at = from + 3;
        if (!operator.equals("IN") || !tokens.get(from + 2).equals("(")) {
            return -1;
        }
        while (at + 1 < tokens.size() && literal(tokens.get(at), kind, indicators)) {
            if (tokens.get(at + 1).equals(")")) {
                return at + 2;
            }
            at += tokens.get(at + 1).equals(",") ? 2 : tokens.size();
        }
        return -1;
    }

    private static boolean literal(String token, Optional<KeyKind> kind, List<Indicator> indicators) {
        boolean literal = token.charAt(0) == LITERAL;
        if (literal) {
            kind.ifPresent(known -> indicators.add(new Indicator(known, token.substring(1))));
        }
        return literal;
    }

    private static String path(String token) {
        return TextForms.lowerCase(token.replace("'", "").replace("\"", ""));
    }

    private List<String> tokens() {
        List<String> tokens = new ArrayList<>();
        while (at < pattern.length()) {
            char c = pattern.charAt(at);
            if (Character.isWhitespace(c)) {
                at++;
            } else if (c == LITERAL) {
                tokens.add(LITERAL + text());
            } else if ("[](),=".indexOf(c) >= 0) {
                tokens.add(String.valueOf(c));
                at++;
            } else {
                tokens.add(word());
            }
        }
        return tokens;
    }

    /// The text up to the closing quote, with `\'` and `\\` unescaped.
    private String text() {
        StringBuilder out = new StringBuilder();
        for (at++; at < pattern.length() && pattern.charAt(at) != LITERAL; at++) {
            if (pattern.charAt(at) == '\\' && at + 1 < pattern.length()) {
                at++;
            }
            out.append(pattern.charAt(at));
        }
        at++;
        return out.toString();
    }

    /// A word; a path may contain names in quotes: `file:hashes.'SHA-256'`.
    private String word() {
        int start = at;
        boolean quoted = false;
        while (at < pattern.length()) {
            char c = pattern.charAt(at);
            if (c == LITERAL) {
                quoted = !quoted;
            } else if (!quoted && (Character.isWhitespace(c) || "[](),=".indexOf(c) >= 0)) {
                break;
            }
            at++;
        }
        return pattern.substring(start, at);
    }
}
