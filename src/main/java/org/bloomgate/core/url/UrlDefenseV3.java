package org.bloomgate.core.url;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/// Decodes the third form of Proofpoint's links: `URL__;base64!...`, where the URL has `*` instead of each
/// character that is not safe in a URL, and the base64url text has these characters in order. `**X` is a run of
/// them, with its length in X.
final class UrlDefenseV3 {
    private static final String RUN_LENGTHS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private static final int SHORTEST_RUN = 2;

    private UrlDefenseV3() {}

    /// @param wrapped the text after `/v3/__`
    static Optional<String> decode(String wrapped) {
        int end = wrapped.lastIndexOf("__;");
        if (end < 0) {
            return Optional.empty();
        }
        int[] replaced = replaced(wrapped, end + 3);
        StringBuilder url = new StringBuilder(end);
        int next = 0;
        for (int i = 0; i < end; i++) {
            int run = 0;
            if (wrapped.charAt(i) == '*') {
                run = i + 2 < end && wrapped.charAt(i + 1) == '*'
                        ? RUN_LENGTHS.indexOf(wrapped.charAt(i + 2)) + SHORTEST_RUN
                        : 1;
                i += run >= SHORTEST_RUN ? 2 : 0;
            }
            if (run == 0 || next + run > replaced.length) {
                url.append(wrapped.charAt(i));
                continue;
            }
            for (int last = next + run; next < last; next++) {
                url.appendCodePoint(replaced[next]);
            }
        }
        return Optional.of(url.toString());
    }

    /// The replaced characters; none if the text is damaged.
    private static int[] replaced(String wrapped, int from) {
        int end = wrapped.indexOf('!', from);
        String code = wrapped.substring(from, end < 0 ? wrapped.length() : end);
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(code);
            return new String(bytes, StandardCharsets.UTF_8).codePoints().toArray();
        } catch (IllegalArgumentException _) {
            return new int[0];
        }
    }
}
