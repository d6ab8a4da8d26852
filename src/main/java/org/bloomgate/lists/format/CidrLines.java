package org.bloomgate.lists.format;

import java.util.List;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.core.text.TextScan;

/// One network, range or address per line, with `#` and `;` comments: FireHOL's sets, Spamhaus DROP as text,
/// the output of `ipset save` (`add NAME 192.0.2.0/24 timeout 0`), and the table of DShield's block list.
record CidrLines() implements LineFormat {
    @Override
    public ParsedLine parse(String line) {
        String entry = withoutComment(line).strip();
        if (entry.isEmpty()) {
            return ParsedLine.COMMENT;
        }
        List<String> words = LineFormat.splitWords(entry);
        return switch (words.getFirst()) {
            case "create", "COMMIT", "Start" -> ParsedLine.COMMENT;
            case "add" -> parseSetEntry(words);
            default ->
                isTable(words)
                        ? ParsedLine.value(words.getFirst() + '/' + words.get(2))
                        : parseSingle(withoutBlanksAtDash(entry));
        };
    }

    private static String withoutComment(String line) {
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) == '#' || line.charAt(i) == ';') {
                return line.substring(0, i);
            }
        }
        return line;
    }

    private static String withoutBlanksAtDash(String range) {
        int dash = range.indexOf('-');
        return dash < 0
                ? range
                : range.substring(0, dash).strip()
                        + '-'
                        + range.substring(dash + 1).strip();
    }

    /// Whether the words are the first address, the last one, the bits of the network, and further columns.
    private static boolean isTable(List<String> words) {
        return words.size() > 2
                && IpLiteral.parse(words.get(0)).isPresent()
                && IpLiteral.parse(words.get(1)).isPresent()
                && TextScan.consistsOf(words.get(2), TextScan::isDigit, 1, 3);
    }

    private static ParsedLine parseSingle(String value) {
        return value.chars().anyMatch(Character::isWhitespace)
                ? new ParsedLine.Unreadable("more than a network")
                : ParsedLine.value(value);
    }

    /// Ports and interfaces follow the address after a comma.
    private static ParsedLine parseSetEntry(List<String> words) {
        if (words.size() < 3) {
            return new ParsedLine.Unreadable("not add NAME NETWORK");
        }
        String network = TextScan.split(words.get(2), c -> c == ',', 2).getFirst();
        return words.contains("nomatch") ? ParsedLine.exception(network) : ParsedLine.value(network);
    }
}
