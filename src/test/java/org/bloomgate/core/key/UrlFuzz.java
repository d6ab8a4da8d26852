package org.bloomgate.core.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.bloomgate.core.url.CanonicalUrl;
import org.bloomgate.core.url.LinkUnwrapping;

/// What holds for any bytes taken as a URL: the form is printable ASCII and stays the same when read again, and
/// keys and wrapped targets are bounded.
public final class UrlFuzz {
    private static final int MAX_EXPRESSIONS = 30;

    private UrlFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] bytes) {
        Optional<CanonicalUrl> url = CanonicalUrl.parse(bytes, 0, bytes.length);
        url.ifPresent(UrlFuzz::check);
        String text = new String(bytes, StandardCharsets.UTF_8);
        assertTrue(LinkUnwrapping.targets(text).size() <= LinkUnwrapping.MAX_TARGETS);
    }

    private static void check(CanonicalUrl url) {
        for (byte b : url.bytes()) {
            assertTrue(b > ' ' && b < 0x7f, url::text);
        }
        assertEquals(Optional.of(url), CanonicalUrl.parse(url.text()));
        int keys = Batches.keys(
                        KeyKind.URL, batch -> UrlExpressions.appendExpressions(url, PublicSuffixes.bundled(), batch))
                .size();
        assertTrue(keys <= MAX_EXPRESSIONS, url::text);
    }
}
