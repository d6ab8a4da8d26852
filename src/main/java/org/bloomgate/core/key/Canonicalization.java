package org.bloomgate.core.key;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.url.CanonicalUrl;
import org.bloomgate.core.url.Trace;
import org.bloomgate.core.url.UrlParser;
import org.bloomgate.core.url.Utf8;

/// A result of the `canonicalize` command.
///
/// @param input the line as text, with malformed UTF-8 as U+FFFD
/// @param canonical the canonical URL; empty if the input is not a URL
/// @param keys its URL expressions, the most specific first
public record Canonicalization(String input, String canonical, List<String> keys) {
    public Canonicalization {
        keys = List.copyOf(keys);
    }

    /// One step towards the canonical form, and its result.
    public record Step(String name, String value) {}

    /// Canonicalizes a line. Only LF ends a line: any other byte belongs to the input, including CR, NUL and
    /// malformed UTF-8, and each line, even an empty one, has exactly one result.
    ///
    /// @param line bytes of one line without its LF
    public static Canonicalization of(byte[] line, PublicSuffixes suffixes) {
        String input = new String(line, StandardCharsets.UTF_8);
        Optional<CanonicalUrl> url = CanonicalUrl.parse(line, 0, line.length);
        return new Canonicalization(
                input,
                url.map(CanonicalUrl::text).orElse(""),
                url.map(form -> expressions(form, suffixes)).orElse(List.of()));
    }

    private static List<String> expressions(CanonicalUrl url, PublicSuffixes suffixes) {
        KeyBatch batch = new KeyBatch();
        batch.begin(new Identifier(KeyKind.URL, url.text(), Place.LINK, "link"));
        UrlExpressions.appendExpressions(url, suffixes, batch);
        List<String> keys = new ArrayList<>(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            keys.add(batch.key(i).text());
        }
        return keys;
    }

    /// The steps that lead to the canonical form of a URL; they end early if the text is not a URL.
    public static List<Step> steps(String url) {
        List<Step> steps = new ArrayList<>();
        Trace trace = (step, bytes, from, to) -> steps.add(new Step(step, Utf8.text(bytes, from, to)));
        new UrlParser(Utf8.of(url), trace).parse();
        return steps;
    }
}
