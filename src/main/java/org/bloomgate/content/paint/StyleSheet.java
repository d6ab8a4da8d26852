package org.bloomgate.content.paint;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// The rules of a document's style sheets by the last element, class or id of their selectors. Later rules
/// take precedence, whatever their selectors.
final class StyleSheet {
    /// Rules: hides nothing, a code needs two.
    private static final int MAX_RULES = 1_000;

    /// Classes of one element: hides nothing, a code needs two.
    private static final int MAX_CLASSES = 8;

    private static final int MAX_SELECTORS = 64;

    /// The properties that say where something is and in which colour, by the first word of their names.
    private static final Set<String> PROPERTIES = Set.of(
            "background",
            "border",
            "bottom",
            "box",
            "color",
            "column",
            "display",
            "fill",
            "flex",
            "float",
            "font",
            "gap",
            "grid",
            "height",
            "left",
            "letter",
            "line",
            "margin",
            "opacity",
            "padding",
            "position",
            "right",
            "row",
            "stroke",
            "top",
            "transform",
            "vertical",
            "visibility",
            "white",
            "width");

    private final Map<String, Map<String, String>> rules = new HashMap<>();

    /// Adds the rules of a sheet. Linear in its text.
    void read(String text) {
        int from = 0;
        int open = text.indexOf('{');
        while (open >= 0 && rules.size() < MAX_RULES) {
            int close = text.indexOf('}', open);
            if (close < 0) {
                return;
            }
            Map<String, String> declarations = new HashMap<>();
            declare(text.substring(open + 1, close), declarations);
            for (String selector : TextScan.split(text.substring(from, open), c -> c == ',', MAX_SELECTORS)) {
                String plain = TextForms.lowerCase(selector.strip());
                int last = Math.max(plain.lastIndexOf(' '), plain.lastIndexOf('>'));
                rules.computeIfAbsent(plain.substring(last + 1), _ -> new HashMap<>())
                        .putAll(declarations);
            }
            from = close + 1;
            open = text.indexOf('{', from);
        }
    }

    /// The declarations for an element.
    Map<String, String> style(String name, Map<String, String> attributes) {
        Map<String, String> style = new HashMap<>();
        if (!rules.isEmpty()) {
            style.putAll(rules.getOrDefault("*", Map.of()));
            style.putAll(rules.getOrDefault(name, Map.of()));
            String classes = TextForms.lowerCase(attributes.getOrDefault("class", ""));
            for (String each : TextScan.words(classes, TextScan::isBlank, MAX_CLASSES)) {
                style.putAll(rules.getOrDefault("." + each, Map.of()));
                style.putAll(rules.getOrDefault(name + "." + each, Map.of()));
            }
            style.putAll(rules.getOrDefault("#" + TextForms.lowerCase(attributes.getOrDefault("id", "")), Map.of()));
        }
        declare(attributes.getOrDefault("style", ""), style);
        return style;
    }

    private static void declare(String text, Map<String, String> into) {
        int from = 0;
        while (from < text.length()) {
            int end = text.indexOf(';', from);
            end = end < 0 ? text.length() : end;
            int colon = text.indexOf(':', from);
            if (colon > from && colon < end) {
                String property =
                        TextForms.lowerCase(text.substring(from, colon).strip());
                int word = property.indexOf('-');
                if (PROPERTIES.contains(word < 0 ? property : property.substring(0, word))) {
                    into.put(
                            property,
                            text.substring(colon + 1, end)
                                    .replace("!important", "")
                                    .strip());
                }
            }
            from = end + 1;
        }
    }
}
