package org.bloomgate.feed;

import java.util.List;
import java.util.regex.Pattern;

/// A format in which each line can be read by itself. Formats with memory (a zone's multi-line records) are made anew
/// for each feed, so nothing is shared.
sealed interface LineFormat
        permits PlainLines,
                PasswordLines,
                DigestLines,
                HostsLines,
                AdblockLines,
                WildcardLines,
                DnsmasqLines,
                UnboundLines,
                RpzLines,
                RbldnsdLines {

    Pattern BLANKS = Pattern.compile("\\s+");

    /// @param line without its line end
    ParsedLine parse(String line);

    /// The words between blanks of a line that is not blank.
    static List<String> words(String line) {
        return List.of(BLANKS.split(line.strip(), -1));
    }

    /// The line up to a comment that a blank and one of the marks begin. A mark without a blank before it is data: a
    /// URL's fragment for one.
    static String withoutInlineComment(String line, String marks) {
        for (int i = 1; i < line.length(); i++) {
            if (marks.indexOf(line.charAt(i)) >= 0 && Character.isWhitespace(line.charAt(i - 1))) {
                return line.substring(0, i).strip();
            }
        }
        return line;
    }
}
