package org.bloomgate.content.html;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Expands the entities that an XML document declares in its own document type (`<!ENTITY a "evil.example">`,
/// XML 1.0, 4.2) where they are used (`http://&a;/`). Programs that read XHTML or SVG as XML expand them;
/// programs that read it as HTML do not.
///
/// Bounded: entities may be nested ten deep, and the expanded text has a maximum length, so that a few lines do
/// not become a billion. External entities (`SYSTEM`) and parameter entities (`%`) are neither fetched nor
/// expanded.
public final class DeclaredEntities {
    /// The depth to which nested entities are expanded: the limit `entities`.
    public static final int MAX_DEPTH = 10;

    /// Characters of all expanded entities: the limit `entities`.
    public static final int MAX_CHARS = 256 * 1024;

    private static final String DOCTYPE = "<!doctype";
    private static final String ENTITY = "<!entity";
    private static final String ATTRIBUTE_LIST = "<!attlist";
    private static final String COMMENT = "<!--";
    private static final String COMMENT_END = "-->";

    private final char[] xml;
    private final int to;
    private final Map<String, String> texts = new HashMap<>();
    private int declarationsStart;
    private int at;
    private int remainingChars = MAX_CHARS;
    private boolean cut;

    private DeclaredEntities(char[] xml, int from, int to) {
        this.xml = xml;
        this.at = from;
        this.to = to;
    }

    /// A document with expanded entities.
    ///
    /// @param declarations the declarations, which may contain links as default values of attributes
    /// @param text the text after them
    /// @param cut whether an entity was not expanded
    public record Expansion(TextBuffer declarations, TextBuffer text, boolean cut) {}

    /// Expands a document; empty if it declares nothing, for which only its beginning is read.
    public static Optional<Expansion> expandDocument(char[] xml, int from, int to) {
        DeclaredEntities document = new DeclaredEntities(xml, from, to);
        return document.skipProlog() && document.readDeclarations() ? Optional.of(document.expand()) : Optional.empty();
    }

    /// Skips to the bracket that opens the declarations; false if there is none.
    private boolean skipProlog() {
        while (at < to) {
            if (HtmlTokenizer.isSpace(xml[at]) || xml[at] == '\ufeff') {
                at++;
            } else if (isAt(COMMENT)) {
                at = indexAfter(COMMENT_END, at + COMMENT.length());
            } else if (isAt("<?")) {
                at = indexAfter("?>", at);
            } else {
                return isAt(DOCTYPE) && skipToDeclarations();
            }
        }
        return false;
    }

    private boolean skipToDeclarations() {
        while (at < to && xml[at] != '[' && xml[at] != '>') {
            at = xml[at] == '"' || xml[at] == '\'' ? indexAfter(xml[at], at + 1) : at + 1;
        }
        return at < to && xml[at] == '[';
    }

    /// Reads the declarations up to the closing bracket; false if there is no entity and no default value.
    private boolean readDeclarations() {
        boolean hasDeclaration = false;
        declarationsStart = at++;
        while (at < to && xml[at] != ']') {
            if (isAt(COMMENT)) {
                at = indexAfter(COMMENT_END, at + COMMENT.length());
            } else if (isAt(ENTITY)) {
                hasDeclaration = true;
                at += ENTITY.length();
                readEntity();
            } else {
                cut |= xml[at] == '%';
                hasDeclaration |= isAt(ATTRIBUTE_LIST);
                at = xml[at] == '"' || xml[at] == '\'' ? indexAfter(xml[at], at + 1) : at + 1;
            }
        }
        return hasDeclaration;
    }

    /// Reads `name "text">`; the first declaration of a name counts.
    private void readEntity() {
        skipSpace();
        int nameStart = at;
        while (at < to && isNameChar(xml[at])) {
            at++;
        }
        String entityName = new String(xml, nameStart, at - nameStart);
        skipSpace();
        if (entityName.isEmpty() || at == to || (xml[at] != '"' && xml[at] != '\'')) {
            cut = true;
            return;
        }
        int text = at + 1;
        at = indexAfter(xml[at], text);
        texts.putIfAbsent(entityName, decodeText(text, Math.max(text, at - 1)));
    }

    /// The text of a declaration. Numeric character references are expanded here, so that `&#38;a;` becomes a
    /// reference.
    private String decodeText(int from, int end) {
        TextBuffer text = new TextBuffer(end - from + 1);
        int i = from;
        while (i < end) {
            int next = i + 1;
            if (xml[i] == '&' && next < end && xml[next] == '#') {
                while (next < end && xml[next] != ';') {
                    next++;
                }
                next = Math.min(end, next + 1);
                HtmlEntities.decodeText(xml, i, next, text);
            } else {
                text.append(xml[i]);
            }
            i = next;
        }
        return text.toString();
    }

    private Expansion expand() {
        TextBuffer declarations = expand(declarationsStart, at);
        TextBuffer text = expand(at, to);
        return new Expansion(declarations, text, cut);
    }

    private TextBuffer expand(int from, int end) {
        TextBuffer out = new TextBuffer(end - from + 1);
        append(new String(xml, from, end - from), 0, out);
        return out;
    }

    private void append(String text, int depth, TextBuffer out) {
        int copied = 0;
        int name = text.indexOf('&');
        while (name >= 0) {
            int end = name + 1;
            while (end < text.length() && isNameChar(text.charAt(end))) {
                end++;
            }
            String replacement =
                    end < text.length() && text.charAt(end) == ';' ? texts.get(text.substring(name + 1, end)) : null;
            if (replacement != null) {
                out.append(text.substring(copied, name));
                appendReplacement(replacement, depth, out);
                copied = end + 1;
            }
            name = text.indexOf('&', Math.max(end, name + 1));
        }
        out.append(text.substring(copied));
    }

    private void appendReplacement(String text, int depth, TextBuffer out) {
        if (depth == MAX_DEPTH || text.length() > remainingChars) {
            cut = true;
        } else {
            remainingChars -= text.length();
            append(text, depth + 1, out);
        }
    }

    private static boolean isNameChar(char c) {
        return c > ' ' && c != ';' && c != '&' && c != '"' && c != '\'' && c != '<' && c != '>' && c != '%';
    }

    private void skipSpace() {
        while (at < to && HtmlTokenizer.isSpace(xml[at])) {
            at++;
        }
    }

    private boolean isAt(String word) {
        return Vocabulary.startsWithIgnoringCase(xml, at, to, word);
    }

    private int indexAfter(char c, int from) {
        int i = from;
        while (i < to && xml[i] != c) {
            i++;
        }
        return Math.min(to, i + 1);
    }

    private int indexAfter(String word, int from) {
        int i = from;
        while (i < to && !Vocabulary.startsWithIgnoringCase(xml, i, to, word)) {
            i++;
        }
        return Math.min(to, i + word.length());
    }
}
