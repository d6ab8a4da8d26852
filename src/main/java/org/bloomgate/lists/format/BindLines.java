package org.bloomgate.lists.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bloomgate.core.text.TextForms;

/// The configuration of a BIND that blocks names by serving their zones itself: `zone "name" { type primary;
/// file "empty"; };`, on one line or several. Zones that are transferred or forwarded are not listings; the
/// standard zones of every server are skipped.
final class BindLines implements LineFormat {
    private static final Set<String> SERVED_TYPES = Set.of("master", "primary");

    private static final String ZONE = "zone";

    /// The number of words that identify a statement.
    private static final int MAX_WORDS = 4;

    private boolean inComment;
    private int depth;

    /// The zone whose block is open and whose type is not known yet; otherwise empty.
    private String zone = "";

    private final List<String> statement = new ArrayList<>();
    private final List<String> values = new ArrayList<>();
    private ParsedLine otherResult = ParsedLine.COMMENT;

    @Override
    public boolean isStateless() {
        return false;
    }

    @Override
    public ParsedLine parse(String line) {
        values.clear();
        otherResult = ParsedLine.COMMENT;
        int position = 0;
        while (position < line.length()) {
            position = inComment ? skipComment(line, position) : readToken(line, position);
        }
        return values.isEmpty() ? otherResult : new ParsedLine.Values(List.copyOf(values), 0);
    }

    private int skipComment(String line, int from) {
        int end = line.indexOf("*/", from);
        inComment = end < 0;
        return end < 0 ? line.length() : end + 2;
    }

    private int readToken(String line, int at) {
        char c = line.charAt(at);
        if (Character.isWhitespace(c)) {
            return at + 1;
        }
        if (c == '#' || line.startsWith("//", at)) {
            return line.length();
        }
        if (line.startsWith("/*", at)) {
            inComment = true;
            return at + 2;
        }
        switch (c) {
            case '{' -> open();
            case '}' -> close();
            case ';' -> end();
            default -> {
                return readWord(line, at);
            }
        }
        statement.clear();
        return at + 1;
    }

    private int readWord(String line, int at) {
        boolean quoted = line.charAt(at) == '"';
        int end = at + 1;
        while (end < line.length() && (quoted ? line.charAt(end) != '"' : isOfWord(line.charAt(end)))) {
            end++;
        }
        if (statement.size() < MAX_WORDS) {
            statement.add(line.substring(quoted ? at + 1 : at, end));
        }
        return quoted ? end + 1 : end;
    }

    private static boolean isOfWord(char c) {
        return !Character.isWhitespace(c) && "{};\"#".indexOf(c) < 0;
    }

    private void open() {
        if (depth == 0) {
            // If the previous statement was not ended, only that one is lost.
            int word = statement.indexOf(ZONE);
            if (word >= 0 && word + 1 < statement.size()) {
                zone = statement.get(word + 1);
            } else {
                otherResult = new ParsedLine.Unreadable("not zone \"name\" { .. }");
            }
        }
        depth++;
    }

    private void close() {
        if (depth == 0) {
            otherResult = new ParsedLine.Unreadable("a } without its {");
            return;
        }
        depth--;
        if (depth == 0) {
            listZone();
        }
    }

    private void end() {
        if (depth == 0 && !statement.isEmpty()) {
            otherResult = ParsedLine.unsupported("a statement other than zone");
        }
        boolean isType =
                depth == 1 && statement.size() > 1 && statement.getFirst().equalsIgnoreCase("type");
        if (isType && SERVED_TYPES.contains(TextForms.lowerCase(statement.get(1)))) {
            listZone();
        } else if (isType && !zone.isEmpty()) {
            otherResult = isOwn(zone) ? otherResult : ParsedLine.unsupported("a zone that is answered elsewhere");
            zone = "";
        }
    }

    private void listZone() {
        if (!zone.isEmpty() && !isOwn(zone)) {
            values.add(zone);
        }
        zone = "";
    }

    private static boolean isOwn(String name) {
        String lower = TextForms.lowerCase(name);
        String bare = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
        return bare.isEmpty() || bare.equals("localhost") || bare.equals("localdomain") || bare.endsWith(".arpa");
    }
}
