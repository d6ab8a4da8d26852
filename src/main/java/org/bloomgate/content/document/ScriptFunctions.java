package org.bloomgate.content.document;

import static org.bloomgate.content.document.ScriptEvaluator.ITEM;
import static org.bloomgate.content.document.ScriptEvaluator.PATTERN;
import static org.bloomgate.content.document.ScriptEvaluator.isKnown;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.text.TextForms;

/// The functions of JavaScript that combine and decode texts and lists.
final class ScriptFunctions {
    /// Those whose result is not known where they take anything but constants.
    static final Set<String> DECODERS = Set.of(
            "atob",
            "unescape",
            "decodeURI",
            "decodeURIComponent",
            "fromCharCode",
            "fromCodePoint",
            "decode",
            "split",
            "reverse",
            "replace",
            "replaceAll",
            "sort",
            "splice",
            "shift",
            "pop",
            "slice",
            "substr",
            "substring",
            "charAt",
            "reduce",
            "filter",
            "parse");

    /// Those that write numbers and dates, or escape markup.
    static final Set<String> FORMATS = Set.of(
            "parseInt",
            "parseFloat",
            "Number",
            "Date",
            "charCodeAt",
            "codePointAt",
            "indexOf",
            "toFixed",
            "round",
            "floor",
            "ceil",
            "abs",
            "min",
            "max",
            "random",
            "pow",
            "sqrt",
            "now",
            "getTime",
            "toLocaleString",
            "toLocaleDateString",
            "toLocaleTimeString",
            "toISOString",
            "format",
            "toDataURL",
            "escapeHtml");

    /// Those that change a list in a way that is not followed.
    static final Set<String> REORDERING = Set.of("sort", "splice", "shift", "pop", "unshift", "fill", "copyWithin");

    private ScriptFunctions() {}

    /// A whole number; -1 for any other text.
    static int index(String text) {
        boolean digits = !text.isEmpty() && text.length() < 9 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? Integer.parseInt(text) : -1;
    }

    /// A number as JavaScript prints it.
    static String digits(String word) {
        try {
            return word.startsWith("0x") ? "" + Long.decode(word) : word;
        } catch (NumberFormatException _) {
            return word;
        }
    }

    /// The items of a list, or the characters of a text.
    static List<String> items(String value) {
        List<String> items = new ArrayList<>(2);
        if (!value.isEmpty() && value.charAt(0) == ITEM) {
            split(value.substring(1), "" + ITEM, items);
        } else {
            value.codePoints().forEach(c -> items.add(Character.toString(c)));
        }
        return items;
    }

    private static String listOf(List<String> items) {
        return items.isEmpty() ? "" : ITEM + String.join("" + ITEM, items);
    }

    private static void split(String text, String mark, List<String> parts) {
        int from = 0;
        for (int to = text.indexOf(mark); to >= 0; to = text.indexOf(mark, from)) {
            parts.add(text.substring(from, to));
            from = to + mark.length();
        }
        parts.add(text.substring(from));
    }

    /// The result of a call, if the function is known and all that it takes is constant.
    static Optional<String> apply(String key, String receiver, List<String> arguments) {
        String first = arguments.isEmpty() ? "" : arguments.getFirst();
        boolean list = !receiver.isEmpty() && receiver.charAt(0) == ITEM;
        if (list) {
            List<String> items = items(receiver);
            switch (key) {
                case "join" -> {
                    return Optional.of(String.join(arguments.isEmpty() ? "," : first, items));
                }
                case "reverse" -> {
                    Collections.reverse(items);
                    return Optional.of(listOf(items));
                }
                default -> {}
            }
        }
        if (key.equals("push") || (list && key.equals("concat"))) {
            return Optional.of(receiver + listOf(arguments).replace("" + ITEM + ITEM, "" + ITEM));
        }
        if (!isKnown(receiver) || arguments.stream().anyMatch(one -> !isKnown(one) && one.charAt(0) != PATTERN)) {
            return Optional.empty();
        }
        return switch (key) {
            case "atob" -> ScriptStrings.base64Text(first);
            case "unescape", "decodeURIComponent", "decodeURI" -> Optional.of(ScriptStrings.unescaped(first));
            case "fromCharCode", "fromCodePoint" -> characters(arguments);
            case "String", "encodeURIComponent" -> Optional.of(first);
            case "toString", "trim", "valueOf" -> Optional.of(receiver.strip());
            case "toLowerCase" -> Optional.of(TextForms.lowerCase(receiver));
            case "concat" -> Optional.of(receiver + String.join("", arguments));
            case "split" ->
                literal(first).map(mark -> {
                    List<String> parts = mark.isEmpty() ? items(receiver) : new ArrayList<>(2);
                    if (!mark.isEmpty()) {
                        split(receiver, mark, parts);
                    }
                    return listOf(parts);
                });
            case "replace", "replaceAll" -> replace(receiver, key, arguments);
            default -> Optional.empty();
        };
    }

    private static Optional<String> characters(List<String> codes) {
        StringBuilder text = new StringBuilder();
        for (String code : codes) {
            int number = index(code);
            if (number < 0 || number > Character.MAX_CODE_POINT) {
                return Optional.empty();
            }
            text.appendCodePoint(number);
        }
        return Optional.of(text.toString());
    }

    private static Optional<String> replace(String text, String key, List<String> arguments) {
        Optional<String> mark =
                literal(arguments.isEmpty() ? "" : arguments.getFirst()).filter(known -> !known.isEmpty());
        if (arguments.size() != 2 || mark.isEmpty() || arguments.get(1).indexOf('$') >= 0) {
            return Optional.empty();
        }
        List<String> parts = new ArrayList<>(2);
        split(text, mark.get(), parts);
        String with = arguments.get(1);
        boolean all = key.equals("replaceAll")
                || (arguments.getFirst().charAt(0) == PATTERN
                        && arguments.getFirst().endsWith("g"));
        if (text.length() + (long) parts.size() * with.length() > ScriptEvaluator.MAX_CHARS) {
            return Optional.empty();
        }
        return Optional.of(
                all || parts.size() == 1
                        ? String.join(with, parts)
                        : parts.getFirst() + with + String.join(mark.get(), parts.subList(1, parts.size())));
    }

    /// A text, or the text that a regular expression without operators stands for.
    private static Optional<String> literal(String value) {
        if (value.isEmpty() || value.charAt(0) != PATTERN) {
            return Optional.of(value);
        }
        int end = value.lastIndexOf('/');
        StringBuilder text = new StringBuilder();
        for (int i = 2; i < end; i++) {
            boolean escaped = value.charAt(i) == '\\';
            i += escaped ? 1 : 0;
            char c = value.charAt(i);
            if (escaped ? Character.isLetterOrDigit(c) : "[](){}*+?.|^$".indexOf(c) >= 0) {
                return Optional.empty();
            }
            text.append(c);
        }
        return value.indexOf('i', end) > 0 ? Optional.empty() : Optional.of(text.toString());
    }
}
