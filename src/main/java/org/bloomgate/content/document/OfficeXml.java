package org.bloomgate.content.document;

import static org.bloomgate.content.html.Vocabulary.startsWithIgnoringCase;

import java.util.Set;

/// Reads a part of an Office Open XML or OpenDocument file (ECMA-376, OASIS ODF 1.3), or any other XML:
/// external relationships, references in attributes, fields, whose instruction may be split into runs,
/// formulas, queries of Power Query (MS-QDEFF: a zip file in base64), and text.
///
/// The text of a paragraph is joined over its runs; other elements separate it.
public final class OfficeXml implements Xml.Sink {
    /// Attributes whose value is followed or fetched, in any element.
    private static final Set<String> REFERENCES =
            Set.of("target", "href", "src", "url", "base", "action", "location", "hyperlink", "sourceurl", "ref");

    /// Attributes that name a type or a schema.
    private static final Set<String> NAMES =
            Set.of("xmlns", "type", "contenttype", "schemalocation", "uri", "namespace", "requires", "ignorable");

    private static final Set<String> PARAGRAPHS = Set.of("p", "si", "is", "h");
    private static final Set<String> BREAKS = Set.of("br", "cr", "tab", "line-break");
    private static final Set<String> FORMULAS = Set.of("f", "definedname", "formula1", "formula2");

    private final LinkSink sink;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder field = new StringBuilder();
    private final StringBuilder formula = new StringBuilder();
    private int paragraphs;
    private boolean inField;
    private boolean inFormula;

    /// The position of the last element that does not depend on what is before it.
    private int independent;

    private OfficeXml(LinkSink sink) {
        this.sink = sink;
    }

    /// Reads a part or a window of it. Returns the position of the last element that does not depend on what is
    /// before it, so that the next window may begin at or before it; 0 if there is none, or a comment within which
    /// a window might begin.
    public static int read(char[] xml, int length, LinkSink sink) {
        OfficeXml part = new OfficeXml(sink);
        if (!sink.spend(length)) {
            return 0;
        }
        boolean onlyElements = Xml.read(xml, length, part);
        part.endOfField();
        sink.addText(part.text.toString());
        return onlyElements ? part.independent : 0;
    }

    @Override
    public void attribute(String element, String name, String value) {
        if (name.equals("instr")) {
            FieldInstruction.read(value, sink);
        } else if (name.equals("formula")) {
            sink.addScript(value);
        } else if (name.equals("fldchartype")) {
            if (!value.equals("begin")) {
                endOfField();
            }
        } else if (!NAMES.contains(name) && looksLikeLink(value, REFERENCES.contains(name))) {
            sink.addLink(value);
        }
    }

    /// Whether a value is a link; a reference need not have a scheme. Paths within the file are not links.
    private static boolean looksLikeLink(String value, boolean reference) {
        return value.contains("://")
                || startsWithIgnoringCase(value, "mailto:")
                || value.startsWith("\\\\")
                || (reference
                        && (value.startsWith("//")
                                || startsWithIgnoringCase(value, "www.")
                                || startsWithIgnoringCase(value, "http")));
    }

    @Override
    public void open(String element, int tag) {
        if (paragraphs == 0 && field.isEmpty() && !inField && !inFormula) {
            independent = tag;
        }
        if (PARAGRAPHS.contains(element)) {
            paragraphs++;
            text.append('\n');
        } else if (paragraphs == 0 || BREAKS.contains(element)) {
            text.append('\n');
        }
        inField |= element.equals("instrtext") || element.equals("delinstrtext");
        inFormula |= FORMULAS.contains(element);
    }

    @Override
    public void close(String element) {
        if (PARAGRAPHS.contains(element)) {
            paragraphs = Math.max(0, paragraphs - 1);
            text.append('\n');
        }
        if (element.equals("instrtext") || element.equals("delinstrtext")) {
            inField = false;
        }
        if (element.equals("datamashup")) {
            int from = text.lastIndexOf("\n") + 1;
            sink.addFile("", text.substring(from));
            text.setLength(from);
        }
        if (FORMULAS.contains(element)) {
            inFormula = false;
            sink.addScript(formula.toString());
            formula.setLength(0);
        }
    }

    @Override
    public void text(char[] xml, int from, int to) {
        if (inField) {
            field.append(xml, from, to - from);
        } else if (inFormula) {
            formula.append(xml, from, to - from);
        } else {
            text.append(xml, from, to - from);
        }
    }

    private void endOfField() {
        if (!field.isEmpty()) {
            FieldInstruction.read(field, sink);
            field.setLength(0);
        }
    }
}
