package org.bloomgate.content.html;

/// Splits HTML into text, tags, attributes, comments and raw text as the WHATWG tokenizer does, in one pass
/// without backtracking: the cost is linear whatever the input.
///
/// Where a browser drops the rest of the input (a tag or comment that never ends), the rest is reported as
/// broken, because sanitizers repair and show it. Inside `svg` and `math` no element has raw text, and a CDATA
/// section is text (HTML Living Standard, 13.2.6.5). If such an element is not closed, the rest of the input is
/// read in this way, which finds more links than a browser shows and never fewer. All positions are offsets
/// into the input.
public final class HtmlTokenizer {
    /// Receives the tokens in order.
    public interface Sink {
        /// Characters between tags, with entities not yet decoded.
        void text(int from, int to);

        /// @param from start of the name
        /// @param to end of the name
        void startTag(HtmlElement element, int from, int to);

        /// An attribute of the current start tag; the value is empty if there is none.
        void attribute(int nameFrom, int nameTo, int valueFrom, int valueTo);

        void endOfStartTag(HtmlElement element);

        void endTag(HtmlElement element, int from, int to);

        void comment(int from, int to);

        /// Content of an element that contains no markup: script, style, title, ...
        void rawText(HtmlElement element, int from, int to);

        /// Text of a `style` element inside `svg`, with entities not yet decoded. It is also sent as text.
        void foreignStyle(int from, int to);

        /// A piece of a `script` element inside `svg`. It is also sent as text.
        ///
        /// @param section whether it is a CDATA section, which has no entities
        void foreignScript(int from, int to, boolean section);

        /// Called after all pieces of that element.
        void endOfForeignScript();

        /// A tag or comment that never ends, from its first character to the end of the input.
        void broken(int from, int to);
    }

    private static final String CDATA = "[cdata[";

    private final char[] html;
    private final int limit;
    private final Sink sink;

    /// The number of open `svg` and `math` elements.
    private int foreignDepth;

    /// Whether the last start tag in such an element was a `style`.
    private boolean inForeignStyle;

    /// Whether the position is inside a `script` in such an element.
    private boolean inForeignScript;

    /// Whether the last tag was `<.. />`.
    private boolean selfClosing;

    /// The end of the last CDATA section that was sent as text.
    private int sectionEnd = -1;

    private HtmlTokenizer(char[] html, int limit, Sink sink) {
        this.html = html;
        this.limit = limit;
        this.sink = sink;
    }

    /// Reads `html` from `from` (inclusive) to `to`.
    public static void tokenize(char[] html, int from, int to, Sink sink) {
        HtmlTokenizer tokenizer = new HtmlTokenizer(html, to, sink);
        int position = from;
        while (position < to) {
            position = html[position] == '<' ? tokenizer.readMarkup(position) : tokenizer.readText(position);
        }
        tokenizer.endForeignScript();
    }

    private int readText(int from) {
        int i = from + 1;
        while (i < limit && (html[i] != '<' || !opensMarkup(charAt(i + 1)))) {
            i++;
        }
        sendText(from, i, false);
        return i;
    }

    private void sendText(int from, int to, boolean section) {
        sink.text(from, to);
        if (inForeignScript && from > sectionEnd) {
            sink.foreignScript(from, to, section);
        }
        if (inForeignStyle) {
            sink.foreignStyle(from, to);
        }
    }

    private int readMarkup(int from) {
        char c = charAt(from + 1);
        if (isLetter(c)) {
            return readStartTag(from);
        }
        if (c == '/') {
            char d = charAt(from + 2);
            if (isLetter(d)) {
                return readEndTag(from);
            }
            return d == 0 ? readText(from) : readOddEndTag(from + 2);
        }
        if (c == '!') {
            return charAt(from + 2) == '-' && charAt(from + 3) == '-' ? readComment(from) : readDeclaration(from + 2);
        }
        return c == '?' ? readInstruction(from) : readText(from);
    }

    /// Whether this character after a `<` begins markup.
    private static boolean opensMarkup(char c) {
        return isLetter(c) || c == '/' || c == '!' || c == '?';
    }

    /// The character at this position; 0 beyond the end.
    private char charAt(int i) {
        return i < limit ? html[i] : 0;
    }

    private int readStartTag(int from) {
        int i = findNameEnd(from + 1);
        HtmlElement element = HtmlElement.of(html, from + 1, i);
        sink.startTag(element, from + 1, i);
        int next = readAttributes(i, true);
        if (next < 0) {
            sink.broken(from, limit);
            return limit;
        }
        sink.endOfStartTag(element);
        foreignDepth += element == HtmlElement.FOREIGN && !selfClosing ? 1 : 0;
        inForeignStyle = foreignDepth > 0 && element == HtmlElement.STYLE;
        inForeignScript |= foreignDepth > 0 && element == HtmlElement.SCRIPT && !selfClosing;
        return element.hasRawText() && foreignDepth == 0 ? readRawText(element, next) : next;
    }

    /// Reads an instruction: `<?xml-stylesheet href=".."?>` has a link like a tag; any other one is ignored.
    private int readInstruction(int from) {
        if (Vocabulary.startsWithIgnoringCase(html, from + 2, limit, "xml-stylesheet")) {
            return readStartTag(from + 1);
        }
        return skipBogusComment(from + 1);
    }

    private int readEndTag(int from) {
        int i = findNameEnd(from + 2);
        HtmlElement element = HtmlElement.of(html, from + 2, i);
        int next = readAttributes(i, false);
        if (next < 0) {
            sink.broken(from, limit);
            return limit;
        }
        sink.endTag(element, from + 2, i);
        if (element == HtmlElement.SCRIPT || element == HtmlElement.FOREIGN) {
            endForeignScript();
        }
        foreignDepth -= element == HtmlElement.FOREIGN && foreignDepth > 0 ? 1 : 0;
        inForeignStyle = false;
        return next;
    }

    private void endForeignScript() {
        if (inForeignScript) {
            inForeignScript = false;
            sink.endOfForeignScript();
        }
    }

    private int findNameEnd(int i) {
        while (i < limit && !isSpace(html[i]) && html[i] != '/' && html[i] != '>') {
            i++;
        }
        return i;
    }

    /// Reads attributes up to the end of the tag; a slash between them counts as white space (`<a/href=..>`).
    ///
    /// @param report whether to send them to the sink
    /// @return the position after `>`, or -1 if the tag never ends
    private int readAttributes(int from, boolean report) {
        int i = from;
        while (true) {
            int between = i;
            while (i < limit && (isSpace(html[i]) || html[i] == '/')) {
                i++;
            }
            if (i >= limit) {
                return -1;
            }
            if (html[i] == '>') {
                selfClosing = i > between && html[i - 1] == '/';
                return i + 1;
            }
            int name = i++;
            while (i < limit && html[i] != '=' && html[i] != '>' && html[i] != '/' && !isSpace(html[i])) {
                i++;
            }
            int nameEnd = i;
            i = skipSpace(i);
            int value = i;
            int valueEnd = i;
            if (charAt(i) == '=') {
                i = skipSpace(i + 1);
                char quote = charAt(i);
                if (quote == '"' || quote == '\'') {
                    value = ++i;
                    while (i < limit && html[i] != quote) {
                        i++;
                    }
                    valueEnd = i++;
                } else {
                    value = i;
                    while (i < limit && html[i] != '>' && !isSpace(html[i])) {
                        i++;
                    }
                    valueEnd = i;
                }
            }
            if (report && i <= limit) {
                sink.attribute(name, nameEnd, value, valueEnd);
            }
        }
    }

    private int skipSpace(int i) {
        while (i < limit && isSpace(html[i])) {
            i++;
        }
        return i;
    }

    private int readRawText(HtmlElement element, int from) {
        String name = element.rawTextName();
        int i = from;
        while (i < limit) {
            if (html[i] == '<' && charAt(i + 1) == '/') {
                int next = i + 2 + name.length();
                if (Vocabulary.startsWithIgnoringCase(html, i + 2, limit, name)
                        && (charAt(next) == '>' || charAt(next) == '/' || charAt(next) == 0 || isSpace(charAt(next)))) {
                    break;
                }
            }
            i++;
        }
        if (i > from) {
            sink.rawText(element, from, i);
        }
        return i;
    }

    private int readComment(int from) {
        int content = from + 4;
        if (charAt(content) == '>') {
            return content + 1;
        }
        if (charAt(content) == '-' && charAt(content + 1) == '>') {
            return content + 2;
        }
        for (int i = content; i < limit; i++) {
            if (html[i] == '-' && charAt(i + 1) == '-') {
                int next = charAt(i + 2) == '!' ? i + 3 : i + 2;
                if (charAt(next) == '>') {
                    sink.comment(content, i);
                    return next + 1;
                }
            }
        }
        sink.broken(from, limit);
        return limit;
    }

    /// Reads `</ ..>`, which is a comment for browsers, and text for other programs.
    private int readOddEndTag(int from) {
        int next = skipBogusComment(from);
        sink.comment(from, Math.min(next, limit));
        return next;
    }

    /// Reads a declaration. A CDATA section is text in SVG, and elsewhere a comment up to the first `>`. It is
    /// not certain whether a browser is still in SVG (a `p` ends it), so a section in SVG is read both ways.
    private int readDeclaration(int from) {
        int next = skipBogusComment(from);
        if (Vocabulary.startsWithIgnoringCase(html, from, limit, CDATA)) {
            if (foreignDepth > 0 && from > sectionEnd) {
                readSection(from + CDATA.length());
            }
            sink.comment(from, Math.min(next, limit));
        }
        return next;
    }

    private void readSection(int from) {
        int end = from;
        while (end < limit && !(html[end] == ']' && charAt(end + 1) == ']' && charAt(end + 2) == '>')) {
            end++;
        }
        sendText(from, end, true);
        sectionEnd = end;
    }

    /// Skips `<!DOCTYPE ..>`, `<?xml ..>` or `<![if ..]>`, with the URLs of document types.
    private int skipBogusComment(int from) {
        int i = from;
        while (i < limit && html[i] != '>') {
            i++;
        }
        return i + 1;
    }

    public static boolean isLetter(char c) {
        return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    }

    public static boolean isSpace(char c) {
        return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
    }
}
