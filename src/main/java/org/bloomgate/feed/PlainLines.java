package org.bloomgate.feed;

/// One value a line, with `#`, `;`, `!` or `//` comments and ` #` or ` ;` behind the value.
record PlainLines() implements LineFormat {

    @Override
    public ParsedLine parse(String line) {
        String entry = line.strip();
        if (entry.isEmpty() || "#;!".indexOf(entry.charAt(0)) >= 0 || entry.startsWith("//")) {
            return ParsedLine.COMMENT;
        }
        return ParsedLine.value(LineFormat.withoutInlineComment(entry, "#;"));
    }
}
