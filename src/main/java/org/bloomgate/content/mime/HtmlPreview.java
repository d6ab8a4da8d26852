package org.bloomgate.content.mime;

import org.bloomgate.content.html.HtmlAttribute;
import org.bloomgate.content.html.HtmlElement;
import org.bloomgate.content.html.HtmlEntities;
import org.bloomgate.content.html.HtmlTokenizer;
import org.bloomgate.content.html.TextBuffer;

/// Converts HTML to lines of text, with the target of each link in angle brackets. Text that style sheets hide
/// is included, because it is part of the message.
final class HtmlPreview implements HtmlTokenizer.Sink {
    private final char[] html;
    private final StringBuilder out = new StringBuilder();

    private HtmlPreview(char[] html) {
        this.html = html;
    }

    static String convert(TextBuffer html) {
        HtmlPreview preview = new HtmlPreview(html.array());
        HtmlTokenizer.tokenize(html.array(), 0, html.length(), preview);
        return preview.out.toString().strip();
    }

    @Override
    public void text(int from, int to) {
        TextBuffer decoded = new TextBuffer(to - from + 16);
        HtmlEntities.decodeText(html, from, to, decoded);
        for (int i = 0; i < decoded.length(); i++) {
            char c = decoded.charAt(i);
            if (c > ' ' && c != '\u00a0') {
                out.append(c);
            } else {
                appendBlank();
            }
        }
    }

    private void appendBlank() {
        if (!out.isEmpty() && out.charAt(out.length() - 1) > ' ') {
            out.append(' ');
        }
    }

    private void appendLineEnd() {
        if (!out.isEmpty() && out.charAt(out.length() - 1) != '\n') {
            out.append('\n');
        }
    }

    private boolean isLink(int from, int to) {
        return to - from == 1 && (html[from] | ' ') == 'a';
    }

    @Override
    public void startTag(HtmlElement element, int from, int to) {
        if (element != HtmlElement.INLINE && !isLink(from, to)) {
            appendLineEnd();
        }
    }

    @Override
    public void attribute(int nameFrom, int nameTo, int valueFrom, int valueTo) {
        if (HtmlAttribute.of(html, nameFrom, nameTo) == HtmlAttribute.URL && valueTo > valueFrom) {
            TextBuffer value = new TextBuffer(valueTo - valueFrom + 16);
            HtmlEntities.decodeAttribute(html, valueFrom, valueTo, value);
            appendBlank();
            out.append('<').append(value.toString().strip()).append("> ");
        }
    }

    @Override
    public void endOfStartTag(HtmlElement element) {}

    @Override
    public void endTag(HtmlElement element, int from, int to) {
        if (element != HtmlElement.INLINE && !isLink(from, to)) {
            appendLineEnd();
        }
    }

    @Override
    public void comment(int from, int to) {}

    @Override
    public void rawText(HtmlElement element, int from, int to) {
        if (element != HtmlElement.STYLE && element != HtmlElement.SCRIPT) {
            text(from, to);
        }
    }

    @Override
    public void foreignStyle(int from, int to) {}

    @Override
    public void foreignScript(int from, int to, boolean section) {}

    @Override
    public void endOfForeignScript() {}

    @Override
    public void broken(int from, int to) {
        text(from, to);
    }
}
