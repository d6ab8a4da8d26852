package org.bloomgate.feed;

/// A `dnset` of rbldnsd: `name`, `.name` or `*.name`, with the answer to give behind it.
record RbldnsdLines() implements LineFormat {

    @Override
    public ParsedLine parse(String line) {
        String entry = line.strip();
        if (entry.isEmpty() || "#;$:".indexOf(entry.charAt(0)) >= 0) {
            return ParsedLine.COMMENT;
        }
        return entry.charAt(0) == '!'
                ? ParsedLine.unsupported("an exclusion")
                : ParsedLine.value(LineFormat.words(entry).getFirst());
    }
}
