package org.bloomgate.decision.authentication;

import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.core.text.TextScan;

/// The tags of a signature or of a key record (RFC 6376 3.2).
final class DkimTags {
    private final Map<String, Tag> tags = new HashMap<>();
    private boolean wellFormed = true;

    /// @param value without the white space around it
    /// @param start behind the equals sign in the list
    /// @param end of the value with its white space in the list
    record Tag(String value, int start, int end) {}

    /// @param list each byte a character (ISO 8859-1)
    DkimTags(String list) {
        int at = 0;
        while (at < list.length()) {
            int semicolon = list.indexOf(';', at);
            int end = semicolon < 0 ? list.length() : semicolon;
            add(list, at, end);
            at = end + 1;
        }
    }

    private void add(String list, int from, int end) {
        int equals = list.indexOf('=', from, end);
        String name = strip(list.substring(from, equals < 0 ? end : equals));
        if (equals >= 0 && isTagName(name)) {
            Tag tag = new Tag(strip(list.substring(equals + 1, end)), equals + 1, end);
            wellFormed &= tags.putIfAbsent(name, tag) == null;
        } else {
            wellFormed &= equals < 0 && name.isEmpty() && end == list.length();
        }
    }

    private static boolean isTagName(String name) {
        return !name.isEmpty()
                && isLetter(name.charAt(0))
                && name.chars().allMatch(c -> isLetter(c) || (c >= '0' && c <= '9') || c == '_');
    }

    private static boolean isLetter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    /// True for the characters of folding white space.
    private static boolean isBlank(int c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    private static String strip(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && isBlank(text.charAt(start))) {
            start++;
        }
        while (start < end && isBlank(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }

    /// False if a tag has no name or no equals sign, or occurs twice; the first of two counts.
    boolean isWellFormed() {
        return wellFormed;
    }

    Optional<Tag> find(String name) {
        return Optional.ofNullable(tags.get(name));
    }

    String get(String name, String absent) {
        Tag tag = tags.get(name);
        return tag == null ? absent : tag.value();
    }

    /// The elements of a list with colons.
    ///
    /// @param limit elements; what follows them is one more
    Stream<String> elements(String name, String absent, int limit) {
        return TextScan.split(get(name, absent), c -> c == ':', limit + 1).stream()
                .map(DkimTags::strip);
    }

    /// The bytes of a value in Base64; none if it is absent or not Base64.
    byte[] bytes(String name) {
        String value = get(name, "");
        StringBuilder digits = new StringBuilder(value.length());
        value.chars().filter(c -> !isBlank(c)).forEach(c -> digits.append((char) c));
        try {
            return digits.length() % 4 == 0 ? Base64.getDecoder().decode(digits.toString()) : new byte[0];
        } catch (IllegalArgumentException notBase64) {
            return new byte[0];
        }
    }
}
