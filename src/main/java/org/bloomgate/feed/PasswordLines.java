package org.bloomgate.feed;

/// One password a line, to the octet: `#` and blanks are part of it. Only an empty line is none.
record PasswordLines() implements LineFormat {

    @Override
    public ParsedLine parse(String line) {
        return line.isEmpty() ? ParsedLine.COMMENT : ParsedLine.value(line);
    }
}
