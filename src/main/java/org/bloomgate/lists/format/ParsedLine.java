package org.bloomgate.lists.format;

import java.util.List;

/// The result of parsing one line.
sealed interface ParsedLine {

    /// The values of an entry, without the syntax of the format.
    ///
    /// @param count how often the feed has seen the entry; 0 if unknown
    record Values(List<String> values, long count) implements ParsedLine {}

    /// Values that the feed excepts.
    record Exceptions(List<String> values) implements ParsedLine {}

    /// Nothing to list: a comment, a blank line, a header, a host's own name.
    record Comment() implements ParsedLine {}

    /// Not an entry of this format, or an entry that no listing can express.
    record Unreadable(String reason) implements ParsedLine {}

    ParsedLine COMMENT = new Comment();

    /// The beginning of the reason for rejecting a line of the format that no listing can express.
    String UNSUPPORTED = "unsupported: ";

    static ParsedLine value(String value) {
        return new Values(List.of(value), 0);
    }

    static ParsedLine exception(String value) {
        return new Exceptions(List.of(value));
    }

    static ParsedLine unsupported(String what) {
        return new Unreadable(UNSUPPORTED + what);
    }
}
