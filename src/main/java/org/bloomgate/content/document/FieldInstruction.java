package org.bloomgate.content.document;

import org.bloomgate.core.text.TextScan;

/// Reads the instruction of a field in Word or RTF: `HYPERLINK "http://a.example/" \o "tip"`, `INCLUDEPICTURE
/// ..`, `DDEAUTO ..`. In every kind of field, words that are URLs or servers are links.
final class FieldInstruction {
    private static final String SHORTEST_SHARE = "\\\\ab";

    private FieldInstruction() {}

    static void read(CharSequence instruction, LinkSink sink) {
        String text = instruction.toString();
        int i = 0;
        boolean first = true;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c <= ' ') {
                i++;
                continue;
            }
            boolean quoted = isQuote(c);
            int from = quoted ? i + 1 : i;
            int to = from;
            while (to < text.length() && (quoted ? !isQuote(text.charAt(to)) : text.charAt(to) > ' ')) {
                to++;
            }
            word(text.substring(from, to), first, sink);
            first = false;
            i = to + 1;
        }
    }

    private static void word(String word, boolean name, LinkSink sink) {
        boolean server = word.startsWith("\\\\") && word.length() >= SHORTEST_SHARE.length();
        String target = server ? "//" + word.substring(TextScan.end(word, 0, c -> c == '\\')) : word;
        boolean local = !server && word.startsWith("\\");
        if (!name && !local && word.indexOf('.') > 0) {
            sink.addLink(target.replace("\\\\", "\\"));
        }
    }

    /// Word also writes the quotes of the document's language.
    private static boolean isQuote(char c) {
        return c == '"' || c == '\u201c' || c == '\u201d' || c == '\u201e';
    }
}
