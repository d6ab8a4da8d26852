package org.bloomgate.content.links;

import java.util.LinkedHashSet;
import java.util.Set;
import org.bloomgate.content.html.HtmlAttribute;
import org.bloomgate.content.html.HtmlElement;
import org.bloomgate.content.html.HtmlEntities;
import org.bloomgate.content.html.HtmlTokenizer;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.content.html.Vocabulary;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Limit;

/// Finds every link of an HTML document: attributes that are followed or fetched, CSS, nested documents, and
/// URLs in its text, which is joined over inline elements first. URLs in scripts, styles, comments and broken
/// markup are found at [Place#RAW].
///
/// Linear in the input. Nested documents are read to a depth of [#MAX_NESTING]; deeper ones are scanned raw.
public final class HtmlLinks implements HtmlTokenizer.Sink {
    /// The depth of nested documents (`srcdoc`, `data:text/html`, conditional comments): the limit `nesting`.
    public static final int MAX_NESTING = 4;

    /// The number of bases that relative links of one document are resolved against: the limit `bases`.
    public static final int MAX_BASES = 16;

    private static final int WORK_PER_TAG = 8;

    /// The work for beginning a nested document.
    private static final int WORK_PER_NESTED = 400;

    /// The work for decoding, tokenizing and reading one character of its text.
    private static final int WORK_PER_NESTED_CHAR = 4;

    private static final int USUAL_TEXT_CHARS = 1024;

    private final KeyExtractor keys;
    private final TextLinks textLinks;
    private final HtmlLinkValue linkValue;
    private final TextBuffer text;
    private final TextBuffer value = new TextBuffer(256);
    private final int nesting;
    private final Place place;
    private final Place scriptPlace;
    private final ScriptLinks scripts;
    private char[] html = new char[0];

    /// The possible bases of relative links; clients differ in which they use.
    private final Set<String> bases = new LinkedHashSet<>();

    private boolean baseElementSeen;
    private boolean relativeSeen;
    private boolean readAgain;
    private HtmlElement element = HtmlElement.INLINE;
    private final StringBuilder foreignScript = new StringBuilder();

    /// @param text buffer for the joined text, which this class clears
    /// @param scriptPlace place of the URLs that scripts build: [Place#SCRIPT_ATTACHMENT] where a browser will
    /// run them
    public HtmlLinks(KeyExtractor keys, TextLinks textLinks, TextBuffer text, Place scriptPlace) {
        this(keys, textLinks, text, Place.LINK, scriptPlace, 0, Set.of());
    }

    private HtmlLinks(
            KeyExtractor keys,
            TextLinks textLinks,
            TextBuffer text,
            Place place,
            Place scriptPlace,
            int nesting,
            Set<String> bases) {
        this.keys = keys;
        this.textLinks = textLinks;
        this.text = text;
        this.place = place;
        this.scriptPlace = scriptPlace;
        this.nesting = nesting;
        this.scripts = new ScriptLinks(keys, scriptPlace, markup -> nested(markup, 0, markup.length, scriptPlace));
        this.linkValue = new HtmlLinkValue(keys, this);
        this.bases.addAll(bases);
    }

    /// Reads markup in the value of a link.
    static void readValue(KeyExtractor keys, char[] markup, Place place) {
        new HtmlLinks(keys, new TextLinks(keys), new TextBuffer(markup.length), place, place, 0, Set.of())
                .nested(markup, 0, markup.length, place);
    }

    /// Adds a base that a header field states.
    public HtmlLinks relativeTo(String base) {
        if (!base.isEmpty()) {
            bases.add(base);
        }
        return this;
    }

    /// Reads the document, twice if its base follows links that need it.
    public void read(char[] html, int from, int to) {
        this.html = html;
        tokenize(from, to);
        if (readAgain) {
            baseElementSeen = true;
            tokenize(from, to);
        }
        textLinks.read(text, place == Place.LINK ? TextPlaces.SHOWN : TextPlaces.HIDDEN);
    }

    private void tokenize(int from, int to) {
        text.clear();
        HtmlTokenizer.tokenize(html, from, to, this);
    }

    /// Reads a document inside this one.
    void nested(char[] html, int from, int to, Place place) {
        if (nesting == MAX_NESTING) {
            keys.allowance().reached(Limit.NESTING);
            RawLinks.read(html, from, to, keys, Place.RAW);
        } else if (keys.allowance().spend(WORK_PER_NESTED + (long) (to - from) * WORK_PER_NESTED_CHAR)) {
            TextBuffer joined = new TextBuffer(Math.min(USUAL_TEXT_CHARS, 16 + to - from));
            new HtmlLinks(keys, textLinks, joined, place, scriptPlace, nesting + 1, bases).read(html, from, to);
        }
    }

    @Override
    public void text(int from, int to) {
        HtmlEntities.decodeText(html, from, to, text);
    }

    @Override
    public void startTag(HtmlElement element, int from, int to) {
        keys.allowance().spend(WORK_PER_TAG);
        this.element = element;
        separate(element);
    }

    @Override
    public void endTag(HtmlElement element, int from, int to) {
        keys.allowance().spend(WORK_PER_TAG);
        separate(element);
    }

    private void separate(HtmlElement element) {
        if (element != HtmlElement.INLINE && text.length() > 0 && text.charAt(text.length() - 1) != '\n') {
            text.append('\n');
        }
    }

    @Override
    public void attribute(int nameFrom, int nameTo, int valueFrom, int valueTo) {
        if (valueFrom == valueTo || keys.allowance().exhausted()) {
            return;
        }
        HtmlAttribute attribute = HtmlAttribute.of(html, nameFrom, nameTo);
        if (attribute == HtmlAttribute.NAMESPACE) {
            return;
        }
        if (!HtmlEntities.containsReference(html, valueFrom, valueTo)) {
            attribute(attribute, html, valueFrom, valueTo);
            return;
        }
        value.clear();
        HtmlEntities.decodeAttribute(html, valueFrom, valueTo, value);
        attribute(attribute, value.array(), 0, value.length());
    }

    private void attribute(HtmlAttribute attribute, char[] value, int from, int to) {
        switch (attribute) {
            case URL -> {
                if (element == HtmlElement.BASE) {
                    baseElement(value, from, to);
                }
                linkValue.read(value, from, to, place);
            }
            case URLS -> linkValue.readList(value, from, to, ", \t\r\n\f", place);
            case SOURCE_SET -> linkValue.readSourceSet(value, from, to, place);
            case ANIMATED -> {
                if (element == HtmlElement.ANIMATION) {
                    linkValue.readList(value, from, to, ";", place);
                } else {
                    RawLinks.read(value, from, to, keys, Place.RAW);
                }
            }
            case XML_BASE -> {
                base(value, from, to);
                linkValue.read(value, from, to, place);
            }
            case STYLE -> CssLinks.read(value, from, to, linkValue, place);
            case DOCUMENT -> nested(value, from, to, place);
            case CONTENT -> linkValue.readContent(value, from, to, place);
            case SCRIPT -> script(value, from, to, place);
            case OTHER -> {
                RawLinks.read(value, from, to, keys, Place.RAW);
                if (scriptPlace == Place.SCRIPT_ATTACHMENT) {
                    scripts.readCoded(value, from, to);
                }
            }
            case NAMESPACE -> {}
        }
    }

    /// Reads a script: its literal URLs are found at `plain`, and those that it builds at the place of scripts.
    void script(char[] script, int from, int to, Place plain) {
        RawLinks.read(script, from, to, keys, plain);
        boolean _ = scripts.read(script, from, to);
    }

    /// Only the first `<base>` counts, also for the links before it.
    private void baseElement(char[] value, int from, int to) {
        if (!baseElementSeen) {
            baseElementSeen = true;
            base(value, from, to);
        }
    }

    private void base(char[] value, int from, int to) {
        String base = new String(value, from, to - from).strip();
        if (RelativeLink.isAbsolute(base)) {
            if (bases.size() == MAX_BASES) {
                keys.allowance().reached(Limit.BASES);
            } else if (bases.add(base)) {
                readAgain |= relativeSeen;
            }
        }
    }

    /// A link without scheme or host.
    void relative(String link) {
        relativeSeen = true;
        for (String base : bases) {
            if (keys.pay(base.length())) {
                keys.url(RelativeLink.resolve(base, link), place);
            }
        }
    }

    @Override
    public void endOfStartTag(HtmlElement element) {
        this.element = HtmlElement.INLINE;
    }

    @Override
    public void comment(int from, int to) {
        int content = conditional(from, to);
        if (content >= 0) {
            nested(html, content, to, place);
        } else {
            hidden(from, to);
        }
    }

    /// The position after `[if ..]>`, or -1 if the comment is not a conditional one.
    private int conditional(int from, int to) {
        int i = from;
        while (i < to && HtmlTokenizer.isSpace(html[i])) {
            i++;
        }
        if (!Vocabulary.startsWithIgnoringCase(html, i, to, "[if")) {
            return -1;
        }
        while (i < to && html[i] != '>') {
            i++;
        }
        return Math.min(i + 1, to);
    }

    @Override
    public void rawText(HtmlElement element, int from, int to) {
        switch (element) {
            case STYLE -> {
                CssLinks.read(html, from, to, linkValue, place);
                hidden(from, to);
            }
            case SCRIPT -> {
                scriptElement(html, from, to);
                hidden(from, to);
            }
            case NOEMBED, NOFRAMES -> nested(html, from, to, place);
            default -> hidden(from, to);
        }
    }

    /// In a file that a browser runs, a script that writes or navigates but contains no readable URL hides one.
    private void scriptElement(char[] script, int from, int to) {
        if (scriptPlace == Place.SCRIPT) {
            boolean _ = scripts.read(script, from, to);
            return;
        }
        long urlsBefore = keys.urlCount();
        RawLinks.read(script, from, to, keys, scriptPlace);
        boolean acts = scripts.read(script, from, to);
        if (acts && keys.urlCount() == urlsBefore) {
            keys.allowance().reached(Limit.SCRIPT_OPAQUE);
        }
    }

    @Override
    public void foreignScript(int from, int to, boolean section) {
        if (section) {
            foreignScript.append(html, from, to - from);
        } else {
            value.clear();
            HtmlEntities.decodeText(html, from, to, value);
            foreignScript.append(value);
        }
    }

    @Override
    public void endOfForeignScript() {
        char[] script = foreignScript.toString().toCharArray();
        foreignScript.setLength(0);
        scriptElement(script, 0, script.length);
    }

    @Override
    public void foreignStyle(int from, int to) {
        value.clear();
        HtmlEntities.decodeText(html, from, to, value);
        CssLinks.read(value.array(), 0, value.length(), linkValue, place);
    }

    /// Reads broken markup once: a repaired tail may break again at each of its tags, and its URLs are known by
    /// then.
    @Override
    public void broken(int from, int to) {
        if (place != Place.RAW) {
            hidden(from + 1, to);
        }
    }

    /// Reads text that no browser shows: URLs anywhere in it, and links of markup, because some sanitizers
    /// remove only the tag around it.
    private void hidden(int from, int to) {
        RawLinks.read(html, from, to, keys, Place.RAW);
        if (containsMarkup(from, to)) {
            nested(html, from, to, Place.RAW);
        }
    }

    private boolean containsMarkup(int from, int to) {
        for (int i = from; i + 2 < to; i++) {
            if (html[i] == '<' && HtmlTokenizer.isLetter(html[i + 1])) {
                return true;
            }
        }
        return false;
    }
}
