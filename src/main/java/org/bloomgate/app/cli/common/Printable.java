package org.bloomgate.app.cli.common;

/// Makes text from outside safe for a terminal: control characters become `\\uXXXX`, and long text is cut.
public final class Printable {
    private static final int MAX_LENGTH = 200;

    private Printable() {}

    public static String of(String text) {
        StringBuilder safe = new StringBuilder();
        text.codePoints().limit(MAX_LENGTH).forEach(c -> {
            int type = Character.getType(c);
            boolean unsafe = Character.isISOControl(c) || type == Character.FORMAT || type == Character.SURROGATE;
            if (unsafe) {
                safe.append(String.format("\\u%04x", c));
            } else {
                safe.appendCodePoint(c);
            }
        });
        return safe.length() < text.length() && text.codePointCount(0, text.length()) > MAX_LENGTH
                ? safe.append("..").toString()
                : safe.toString();
    }
}
