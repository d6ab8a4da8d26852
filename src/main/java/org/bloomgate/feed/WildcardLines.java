package org.bloomgate.feed;

/// `*.name` a line: the name and everything below.
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
}
