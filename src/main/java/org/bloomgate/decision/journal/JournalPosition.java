package org.bloomgate.decision.journal;

import java.util.Optional;
import org.bloomgate.core.text.TextScan;

/// Where a walk of the journal, from its newest line to its oldest, continues: the lines of a file that end at an
/// offset or before it, then the files before that one. Files only grow or are deleted, so a position stays valid.
///
/// @param offset in bytes
public record JournalPosition(DayFile file, long offset) {
    private static final int MAX_DIGITS = 18;

    @Override
    public String toString() {
        return file.name() + "@" + offset;
    }

    /// Empty for what is not the text of a position.
    public static Optional<JournalPosition> parse(String text) {
        int at = text.indexOf('@');
        String digits = text.substring(at + 1);
        return at < 0 || !TextScan.consistsOf(digits, TextScan::isDigit, 1, MAX_DIGITS)
                ? Optional.empty()
                : DayFile.parse(text.substring(0, at)).map(file -> new JournalPosition(file, Long.parseLong(digits)));
    }
}
