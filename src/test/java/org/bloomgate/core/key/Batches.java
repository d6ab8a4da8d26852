package org.bloomgate.core.key;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.bloomgate.core.url.CanonicalUrl;
import org.bloomgate.core.url.Host;

/// Keys as text, for what a test compares.
final class Batches {
    static final PublicSuffixes SUFFIXES = PublicSuffixes.bundled();

    private Batches() {}

    static KeyBatch filledBy(Consumer<KeyBatch> writer) {
        KeyBatch batch = new KeyBatch();
        batch.begin(new Identifier(KeyKind.URL, "", Place.LINK, "link"));
        writer.accept(batch);
        return batch;
    }

    static List<String> keys(KeyKind kind, Consumer<KeyBatch> writer) {
        KeyBatch batch = filledBy(writer);
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            if (batch.kindCode(i) == kind.wireCode()) {
                keys.add(batch.key(i).text());
            }
        }
        return keys;
    }

    static List<String> urlKeys(CanonicalUrl url) {
        return keys(KeyKind.URL, batch -> UrlExpressions.append(url, SUFFIXES, batch));
    }

    static List<String> domainKeys(Host host) {
        return keys(KeyKind.DOMAIN, batch -> DomainKeys.append(host, SUFFIXES, batch));
    }
}
