package org.bloomgate.content.html;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.core.text.TextScan;

/// How the value of an attribute contains links.
public enum HtmlAttribute {
    /// One URL, followed or fetched.
    URL,
    /// URLs separated by white space or commas.
    URLS,
    /// URLs, each with a descriptor (`a.png 2x, b.png 480w`).
    SOURCE_SET,
    /// Values of a link that an animation sets: URLs separated by semicolons.
    ANIMATED,
    /// The base of relative links within the element.
    XML_BASE,
    /// CSS declarations.
    STYLE,
    /// A document of its own.
    DOCUMENT,
    /// The content of a `meta` element.
    CONTENT,
    /// A script, or text that a form submits.
    SCRIPT,
    /// The name of a vocabulary, never a link.
    NAMESPACE,
    /// Anything else; contains a link only as text.
    OTHER;

    private static final Vocabulary<HtmlAttribute> NAMES = new Vocabulary<>(createNames());

    /// Returns the kind of an attribute. Prefixes (`xlink:href`, `v:src`) are ignored, except those of a
    /// namespace.
    public static HtmlAttribute of(char[] html, int from, int to) {
        if (Vocabulary.startsWithIgnoringCase(html, from, to, "xmlns")) {
            return NAMESPACE;
        }
        if (Vocabulary.equalsIgnoringCase(html, from, to, "xml:base")) {
            return XML_BASE;
        }
        Optional<HtmlAttribute> known = NAMES.find(html, findLocalName(html, from, to), to);
        if (known.isPresent()) {
            return known.get();
        }
        return Vocabulary.startsWithIgnoringCase(html, from, to, "on") ? SCRIPT : OTHER;
    }

    private static int findLocalName(char[] html, int from, int to) {
        for (int i = to - 1; i >= from; i--) {
            if (html[i] == ':') {
                return i + 1;
            }
        }
        return from;
    }

    private static Map<String, HtmlAttribute> createNames() {
        Map<String, HtmlAttribute> names = new HashMap<>();
        String urls =
                "href src action formaction background poster data longdesc cite usemap codebase classid profile icon"
                        + " manifest dynsrc lowsrc data-saferedirecturl data-url data-href data-src originalsrc"
                        + " attributionsrc";
        for (String name : TextScan.split(urls, c -> c == ' ')) {
            names.put(name, URL);
        }
        names.put("ping", URLS);
        names.put("archive", URLS);
        names.put("srcset", SOURCE_SET);
        names.put("imagesrcset", SOURCE_SET);
        for (String animated : List.of("to", "from", "by", "values")) {
            names.put(animated, ANIMATED);
        }
        names.put("style", STYLE);
        names.put("srcdoc", DOCUMENT);
        names.put("content", CONTENT);
        names.put("value", SCRIPT);
        return names;
    }
}
