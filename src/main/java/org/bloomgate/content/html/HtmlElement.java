package org.bloomgate.content.html;

import java.util.HashMap;
import java.util.Map;
import org.bloomgate.core.text.TextScan;

/// The meaning of an element for the extraction of links and text.
public enum HtmlElement {
    /// Joins the text around it: `ev<b></b>il.example` reads as one word.
    INLINE(""),
    /// Separates the text around it.
    BLOCK(""),
    BASE(""),
    META(""),
    /// `svg` and `math`, inside which other rules apply.
    FOREIGN(""),
    /// Changes an attribute of the SVG element around it.
    ANIMATION(""),
    STYLE("style"),
    SCRIPT("script"),
    TITLE("title"),
    TEXTAREA("textarea"),
    XMP("xmp"),
    IFRAME("iframe"),
    NOEMBED("noembed"),
    NOFRAMES("noframes");

    private static final Vocabulary<HtmlElement> NAMES = new Vocabulary<>(createNames());

    private final String rawTextName;

    HtmlElement(String rawTextName) {
        this.rawTextName = rawTextName;
    }

    /// The name of the only end tag that ends this element; empty if its content is markup.
    String rawTextName() {
        return rawTextName;
    }

    boolean hasRawText() {
        return !rawTextName.isEmpty();
    }

    /// Returns the element of a tag name; unknown elements are inline, as in browsers.
    static HtmlElement of(char[] html, int from, int to) {
        return NAMES.find(html, from, to).orElse(INLINE);
    }

    private static Map<String, HtmlElement> createNames() {
        Map<String, HtmlElement> names = new HashMap<>();
        String blocks =
                "a address article aside blockquote body br button caption center col colgroup dd details dialog dir"
                        + " div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header"
                        + " hgroup hr html img input legend li link main map area menu nav object ol optgroup option p"
                        + " param pre section select summary table tbody td template tfoot th thead tr ul video audio";
        for (String block : TextScan.split(blocks, c -> c == ' ')) {
            names.put(block, BLOCK);
        }
        names.put("base", BASE);
        names.put("meta", META);
        names.put("svg", FOREIGN);
        names.put("math", FOREIGN);
        names.put("set", ANIMATION);
        names.put("animate", ANIMATION);
        for (HtmlElement element : values()) {
            if (element.hasRawText()) {
                names.put(element.rawTextName, element);
            }
        }
        return names;
    }
}
