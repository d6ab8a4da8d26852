package org.bloomgate.content.html;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The texts that an XML document declares names for in its own document type (`<!ENTITY a "evil.example">`,
/// XML 1.0, 4.2), put in where the names stand (`http://&a;/`). Programs that read XHTML or SVG as XML show them;
/// those that read it as HTML do not.
///
/// Bounded: a name may stand for others ten deep, and the whole grows to a bound, so that a few lines do not
/// become a billion. What is declared elsewhere (`SYSTEM`), or by names of the declarations themselves (`%`), is
/// never fetched nor put in.
public final class DeclaredEntities {
    /// Names within texts of names that are put in: the limit `entities`.
    public static final int MAX_DEPTH = 10;

    /// Characters put in all together: the limit `entities`.
    public static final int MAX_CHARS = 256 * 1024;

    private static final String DOCTYPE = "<!doctype";
    private static final String ENTITY = "<!entity";
    private static final String DEFAULTS = "<!attlist";
    private static final String COMMENT = "<!--";
    private static final String COMMENT_END = "-->";

    private final char[] xml;
    private final int to;
    private final Map<String, String> texts = new HashMap<>();
    private int declarations;
    private int at;
    private int left = MAX_CHARS;
    private boolean cut;

    private DeclaredEntities(char[] xml, int from, int to) {
        this.xml = xml;
        this.at = from;
        this.to = to;
    }

    /// A document with the texts put in.
    ///
    /// @param declarations which may hold links of their own, as defaults of attributes
    /// @param text the text after them
    /// @param cut true when a text was left out, or is not known
    public record Expanded(TextBuffer declarations, TextBuffer text, boolean cut) {}

    /// Empty for a document that declares nothing, which costs a look at its beginning.
    public static Optional<Expanded> of(char[] xml, int from, int to) {
        DeclaredEntities document = new DeclaredEntities(xml, from, to);
        return document.passProlog() && document.passDeclarations()
                ? Optional.of(document.expanded())
                : Optional.empty();
    }

    /// Skips to the bracket that opens the declarations; false if there is none.
    private boolean passProlog() {
        while (at < to) {
            if (HtmlTokenizer.isSpace(xml[at]) || xml[at] == '\ufeff') {
                at++;
            } else if (isAt(COMMENT)) {
                at = behind(COMMENT_END, at + COMMENT.length());
            } else if (isAt("<?")) {
                at = behind("?>", at);
            } else {
                return isAt(DOCTYPE) && passName();
            }
        }
        return false;
    }

    private boolean passName() {
        while (at < to && xml[at] != '[' && xml[at] != '>') {
            at = xml[at] == '"' || xml[at] == '\'' ? behind(xml[at], at + 1) : at + 1;
        }
        return at < to && xml[at] == '[';
    }

    /// Up to the closing bracket; false when nothing was declared that is put in anywhere.
    private boolean passDeclarations() {
        boolean any = false;
        declarations = at++;
        while (at < to && xml[at] != ']') {
            if (isAt(COMMENT)) {
                at = behind(COMMENT_END, at + COMMENT.length());
            } else if (isAt(ENTITY)) {
                any = true;
                at += ENTITY.length();
                entity();
            } else {
                cut |= xml[at] == '%';
                any |= isAt(DEFAULTS);
                at = xml[at] == '"' || xml[at] == '\'' ? behind(xml[at], at + 1) : at + 1;
            }
        }
        return any;
    }

    /// `name "text">`; the first declaration of a name counts.
    private void entity() {
        passSpace();
        int name = at;
        while (at < to && isName(xml[at])) {
            at++;
        }
        String declared = new String(xml, name, at - name);
        passSpace();
        if (declared.isEmpty() || at == to || (xml[at] != '"' && xml[at] != '\'')) {
            cut = true;
            return;
        }
        int text = at + 1;
        at = behind(xml[at], text);
        texts.putIfAbsent(declared, characters(text, Math.max(text, at - 1)));
    }

    /// Characters by number are put in where they are declared, so that `&#38;a;` is a name in turn.
    private String characters(int from, int end) {
        TextBuffer text = new TextBuffer(end - from + 1);
        int i = from;
        while (i < end) {
            int behind = i + 1;
            if (xml[i] == '&' && behind < end && xml[behind] == '#') {
                while (behind < end && xml[behind] != ';') {
                    behind++;
                }
                behind = Math.min(end, behind + 1);
                HtmlEntities.decodeText(xml, i, behind, text);
            } else {
                text.append(xml[i]);
            }
            i = behind;
        }
        return text.toString();
    }

    private Expanded expanded() {
        TextBuffer declared = expanded(declarations, at);
        TextBuffer text = expanded(at, to);
        return new Expanded(declared, text, cut);
    }

    private TextBuffer expanded(int from, int end) {
        TextBuffer out = new TextBuffer(end - from + 1);
        append(new String(xml, from, end - from), 0, out);
        return out;
    }

    private void append(String text, int depth, TextBuffer out) {
        int copied = 0;
        int name = text.indexOf('&');
        while (name >= 0) {
            int end = name + 1;
            while (end < text.length() && isName(text.charAt(end))) {
                end++;
            }
            String put =
                    end < text.length() && text.charAt(end) == ';' ? texts.get(text.substring(name + 1, end)) : null;
            if (put != null) {
                out.append(text.substring(copied, name));
                put(put, depth, out);
                copied = end + 1;
            }
            name = text.indexOf('&', Math.max(end, name + 1));
        }
        out.append(text.substring(copied));
    }

    private void put(String text, int depth, TextBuffer out) {
        if (depth == MAX_DEPTH || text.length() > left) {
            cut = true;
        } else {
            left -= text.length();
            append(text, depth + 1, out);
        }
    }

    private static boolean isName(char c) {
        return c > ' ' && c != ';' && c != '&' && c != '"' && c != '\'' && c != '<' && c != '>' && c != '%';
    }

    private void passSpace() {
        while (at < to && HtmlTokenizer.isSpace(xml[at])) {
            at++;
        }
    }

    private boolean isAt(String word) {
        return Vocabulary.startsWithIgnoringCase(xml, at, to, word);
    }

    private int behind(char c, int from) {
        int i = from;
        while (i < to && xml[i] != c) {
            i++;
        }
        return Math.min(to, i + 1);
    }

    private int behind(String word, int from) {
        int i = from;
        while (i < to && !Vocabulary.startsWithIgnoringCase(xml, i, to, word)) {
            i++;
        }
        return Math.min(to, i + word.length());
    }
}
