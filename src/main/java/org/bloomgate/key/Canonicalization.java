package org.bloomgate.key;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// One answer of the `canonicalize` command.
///
/// @param input the line as text, malformed UTF-8 shown as U+FFFD
/// @param canonical the canonical URL, empty when the input is no URL
/// @param keys its URL expressions, the most specific first
public record Canonicalization(String input, String canonical, List<String> keys) {
    public Canonicalization {
        keys = List.copyOf(keys);
    }

    /// One step towards the canonical form and what it left.
    public record Step(String name, String value) {}

    /// @param line octets of one line without its LF; every line has an answer
    public static Canonicalization of(byte[] line, PublicSuffixes suffixes) {
        String input = new String(line, StandardCharsets.UTF_8);
        Optional<CanonicalUrl> url = CanonicalUrl.parse(line, 0, line.length);
        return new Canonicalization(
                input,
                url.map(CanonicalUrl::text).orElse(""),
                suffixes.isPublicSuffix(input) ? List.of() : List.of(input));
    }

    /// How the canonical form of a URL comes about, step by step.
    public static List<Step> steps(String url) {
        return List.of(new Step("canonical", url));
    }
}
