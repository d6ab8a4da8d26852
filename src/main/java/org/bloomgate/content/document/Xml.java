package org.bloomgate.content.document;

import org.bloomgate.content.html.HtmlEntities;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.core.text.TextForms;

/// Reads the tags, attributes and text of XML once, well-formed or not. Names are in lower case without their
/// prefix; character references are decoded, entities that the document declares are not.
final class Xml {
    /// Receives the content in order.
    interface Sink {
        void attribute(String element, String name, String value);

        /// Called after the attributes of the element at `tag`. An element without content is closed at once.
        void open(String element, int tag);

        void close(String element);

        void text(char[] xml, int from, int to);
    }

    private final char[] xml;
    private final int to;
    private final Sink sink;
    private final TextBuffer decoded = new TextBuffer(256);
    private boolean onlyElements = true;

    private Xml(char[] xml, int to, Sink sink) {
        this.xml = xml;
        this.to = to;
        this.sink = sink;
    }

    /// Returns whether there are only elements and text after the XML declaration.
    static boolean read(char[] xml, int to, Sink sink) {
        Xml part = new Xml(xml, to, sink);
        part.read();
        return part.onlyElements;
    }

    private void read() {
        int i = 0;
        while (i < to) {
            int tag = next('<', i);
            if (tag > i) {
                text(i, tag);
            }
            i = tag < to ? markup(tag) : to;
        }
    }

    private void text(int from, int end) {
        if (!HtmlEntities.containsReference(xml, from, end)) {
            sink.text(xml, from, end);
            return;
        }
        decoded.clear();
        HtmlEntities.decodeText(xml, from, end, decoded);
        sink.text(decoded.array(), 0, decoded.length());
    }

    /// @return the position after the markup that begins at `tag`
    private int markup(int tag) {
        onlyElements &= tag == 0 || !(isAt(tag, "<!") || isAt(tag, "<?"));
        if (isAt(tag, "<!--")) {
            return after("-->", tag + 4);
        }
        if (isAt(tag, "<![CDATA[")) {
            int end = indexOf("]]>", tag + 9);
            sink.text(xml, tag + 9, end);
            return Math.min(to, end + 3);
        }
        if (isAt(tag, "<?")) {
            return after("?>", tag + 2);
        }
        if (isAt(tag, "<!")) {
            return Math.min(to, next('>', tag) + 1);
        }
        return element(tag);
    }

    private int element(int tag) {
        boolean end = isAt(tag, "</");
        int from = end ? tag + 2 : tag + 1;
        int i = nameEnd(from);
        String name = name(from, i);
        if (end) {
            sink.close(name);
            return Math.min(to, next('>', i) + 1);
        }
        boolean empty = false;
        while (i < to && xml[i] != '>') {
            empty = xml[i] == '/';
            i = isName(xml[i]) ? attribute(name, i) : i + 1;
        }
        sink.open(name, from - 1);
        if (empty) {
            sink.close(name);
        }
        return Math.min(to, i + 1);
    }

    private int attribute(String element, int from) {
        int nameEnd = nameEnd(from);
        int i = blanks(nameEnd);
        if (i == to || xml[i] != '=') {
            return i;
        }
        i = blanks(i + 1);
        if (i == to || (xml[i] != '"' && xml[i] != '\'')) {
            return i;
        }
        int end = next(xml[i], i + 1);
        decoded.clear();
        HtmlEntities.decodeText(xml, i + 1, end, decoded);
        boolean namespace = isAt(from, "xmlns");
        sink.attribute(element, namespace ? "xmlns" : name(from, nameEnd), decoded.toString());
        return Math.min(to, end + 1);
    }

    private String name(int from, int end) {
        int start = from;
        for (int i = from; i < end; i++) {
            start = xml[i] == ':' ? i + 1 : start;
        }
        return TextForms.lowerCase(new String(xml, start, end - start));
    }

    private int nameEnd(int from) {
        int i = from;
        while (i < to && isName(xml[i])) {
            i++;
        }
        return i;
    }

    private static boolean isName(char c) {
        return c > ' ' && c != '=' && c != '>' && c != '/' && c != '"' && c != '\'' && c != '<';
    }

    private int blanks(int from) {
        int i = from;
        while (i < to && xml[i] <= ' ') {
            i++;
        }
        return i;
    }

    private int next(char c, int from) {
        int i = from;
        while (i < to && xml[i] != c) {
            i++;
        }
        return Math.min(i, to);
    }

    private int after(String word, int from) {
        return Math.min(to, indexOf(word, from) + word.length());
    }

    private int indexOf(String word, int from) {
        int i = Math.min(from, to);
        while (i < to && !isAt(i, word)) {
            i++;
        }
        return i;
    }

    private boolean isAt(int from, String word) {
        if (from + word.length() > to) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if (xml[from + i] != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
