package org.bloomgate.lists.format;

import java.util.Arrays;
import java.util.List;
import org.bloomgate.core.text.TextScan;

/// A format whose entries are lines. Formats with state (multi-line records of a zone) are created for each
/// feed, so that nothing is shared.
sealed interface LineFormat
        permits LineFormat.PlainLines,
                LineFormat.PasswordLines,
                DigestLines,
                CidrLines,
                HostsLines,
                AdblockLines,
                LineFormat.WildcardLines,
                DnsmasqLines,
                UnboundLines,
                RpzLines,
                BindLines,
                LineFormat.RbldnsdLines {

    /// @param line without its line end
    ParsedLine parse(String line);

    /// Whether the meaning of a line does not depend on earlier lines.
    default boolean isStateless() {
        return true;
    }

    /// The position of the value if the line is only a prefix, the value and a suffix, so that it need not be decoded
    /// to text; otherwise -1.
    default int findPlainValue(byte[] line, int length) {
        return -1;
    }

    /// The number of bytes of the suffix in such a line.
    default int plainSuffixBytes() {
        return 0;
    }

    static boolean startsWith(byte[] line, int length, byte[] with) {
        return length > with.length && Arrays.equals(line, 0, with.length, with, 0, with.length);
    }

    /// The words between blanks of a line that is not blank.
    static List<String> splitWords(String line) {
        return TextScan.words(line.strip(), TextScan::isBlank, Integer.MAX_VALUE);
    }

    /// The line without a comment, which begins with a blank and one of the marks. A mark without a blank
    /// before it is data, for example the fragment of a URL.
    static String withoutInlineComment(String line, String marks) {
        for (int i = 1; i < line.length(); i++) {
            if (marks.indexOf(line.charAt(i)) >= 0 && Character.isWhitespace(line.charAt(i - 1))) {
                return line.substring(0, i).strip();
            }
        }
        return line;
    }

    /// One password per line, unchanged: `#` and blanks are part of it. Only an empty line is not a password.
    record PasswordLines() implements LineFormat {

        @Override
        public ParsedLine parse(String line) {
            return line.isEmpty() ? ParsedLine.COMMENT : ParsedLine.value(line);
        }
    }

    /// One value per line, with `#`, `;`, `!` or `//` comments, also ` #` or ` ;` after the value.
    record PlainLines() implements LineFormat {

        @Override
        public ParsedLine parse(String line) {
            String entry = line.strip();
            if (entry.isEmpty() || "#;!".indexOf(entry.charAt(0)) >= 0 || entry.startsWith("//")) {
                return ParsedLine.COMMENT;
            }
            return ParsedLine.value(LineFormat.withoutInlineComment(entry, "#;"));
        }

        @Override
        public int findPlainValue(byte[] line, int length) {
            return 0;
        }
    }

    /// A `dnset` of rbldnsd: `name`, `.name` or `*.name`, followed by the answer; `!name` is an exception.
    record RbldnsdLines() implements LineFormat {

        @Override
        public ParsedLine parse(String line) {
            String entry = line.strip();
            if (entry.isEmpty() || "#;$:".indexOf(entry.charAt(0)) >= 0) {
                return ParsedLine.COMMENT;
            }
            return entry.charAt(0) == '!'
                    ? ParsedLine.exception(
                            LineFormat.splitWords(entry.substring(1)).getFirst())
                    : ParsedLine.value(LineFormat.splitWords(entry).getFirst());
        }
    }

    /// One `*.name` per line, which means the name and everything below it.
    record WildcardLines() implements LineFormat {

        @Override
        public ParsedLine parse(String line) {
            String entry = line.strip();
            if (entry.isEmpty() || entry.charAt(0) == '#') {
                return ParsedLine.COMMENT;
            }
            String name = LineFormat.withoutInlineComment(entry, "#");
            return name.startsWith("*.")
                    ? ParsedLine.value(name.substring(2))
                    : new ParsedLine.Unreadable("does not begin with *.");
        }

        @Override
        public int findPlainValue(byte[] line, int length) {
            return length > 2 && line[0] == '*' && line[1] == '.' ? 2 : -1;
        }
    }
}
