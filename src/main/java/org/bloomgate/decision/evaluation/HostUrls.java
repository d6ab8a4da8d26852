package org.bloomgate.decision.evaluation;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.OrderedKeyStore;

/// Finds the first URLs that caused the listing of a whole host: they follow the host in the store. A
/// store on another machine does not return them.
final class HostUrls {
    private static final int MAX_URLS = 10;

    /// The byte after a slash, which sorts all URLs of a host before it.
    private static final byte AFTER_SLASH = '/' + 1;

    private HostUrls() {}

    /// Ends the visit of the store after enough URLs.
    private static final class Enough extends IOException {
        private static final long serialVersionUID = 1;
    }

    /// Returns the URLs; empty unless the key is such a host. Its count, the number of URLs, distinguishes it
    /// from a host that a feed lists itself.
    static List<String> find(Key key, Layer layer, ExactAnswer answer) {
        boolean isPromoted = key.kind() == KeyKind.URL
                && key.kind().rules().wholeHost(key.text()).isPresent()
                && answer instanceof ExactAnswer.Listed listed
                && listed.listings().stream().anyMatch(listing -> listing.count() > 1);
        return isPromoted && layer.exact().local().orElse(layer.exact()) instanceof OrderedKeyStore store
                ? findFirst(key, store)
                : List.of();
    }

    private static List<String> findFirst(Key host, OrderedKeyStore store) {
        byte[] from = host.bytes();
        byte[] to = from.clone();
        to[to.length - 1] = AFTER_SLASH;
        List<String> urls = new ArrayList<>();
        try {
            store.forEach(KeyKind.URL, from, to, (bytes, start, end, count) -> {
                if (end - start > from.length) {
                    urls.add(new String(bytes, start, end - start, UTF_8));
                }
                if (urls.size() == MAX_URLS) {
                    throw new Enough();
                }
            });
        } catch (IOException e) {
            // The URLs found so far are shown: a damaged store is reported elsewhere.
            return List.copyOf(urls);
        }
        return List.copyOf(urls);
    }
}
