package org.bloomgate.lists.format;

import java.util.List;

/// The result of parsing one line.
sealed interface ParsedLine {

    /// The values of an entry, freed of the format's syntax.
    ///
    /// @param count how often the feed has seen the entry, 0 when it does not say
    record Values(List<String> values, long count) implements ParsedLine {}

    /// Values that the feed says are not bad.
    record Exempt(List<String> values) implements ParsedLine {}

    /// Nothing to list: a comment, a blank line, a header, a host's own name.
    record Comment() implements ParsedLine {}

    /// Not an entry of this format, or one whose meaning a listing cannot carry.
    record Unreadable(String reason) implements ParsedLine {}

    ParsedLine COMMENT = new Comment();

    /// So begins the reason for leaving out a line that is of the format and means what no listing can carry.
    String UNSUPPORTED = "unsupported: ";

    static ParsedLine value(String value) {
        return new Values(List.of(value), 0);
    }

    static ParsedLine exception(String value) {
        return new Exempt(List.of(value));
    }

    static ParsedLine unsupported(String what) {
        return new Unreadable(UNSUPPORTED + what);
    }
}
