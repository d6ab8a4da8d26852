package org.bloomgate.remote;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The `exact.http` section of the configuration: the lookup services that hold the exact tier.
///
/// @param urls of the services, `http://HOST:PORT` or `https://HOST[:PORT]`, the one to ask first in front
/// @param caFile PEM certificates that `https` trusts; empty for those of the Java runtime
/// @param mode what they are told of a key
public record HttpExactOptions(List<String> urls, Optional<Path> caFile, Mode mode) {
    private static final Set<String> SCHEMES = Set.of("http", "https");

    /// How a key is asked about.
    public enum Mode {
        /// By itself.
        KEYS,
        /// By the first digits of its hash: the services do not learn what was met.
        PREFIX
    }

    public HttpExactOptions {
        urls = List.copyOf(urls);
        urls.forEach(HttpExactOptions::check);
    }

    public static HttpExactOptions defaults() {
        return new HttpExactOptions(List.of(), Optional.empty(), Mode.KEYS);
    }

    private static void check(String url) {
        try {
            URI uri = new URI(url);
            boolean whole = uri.getScheme() != null
                    && SCHEMES.contains(uri.getScheme().toLowerCase(Locale.ROOT))
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null;
            if (!whole) {
                throw refused(url);
            }
        } catch (URISyntaxException e) {
            throw refused(url);
        }
    }

    private static IllegalArgumentException refused(String url) {
        return new IllegalArgumentException("urls: '" + url + "' is not as http://HOST:PORT or https://HOST:PORT");
    }
}
