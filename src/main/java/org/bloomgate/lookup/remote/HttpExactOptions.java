package org.bloomgate.lookup.remote;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.base.net.BearerToken;
import org.bloomgate.core.text.TextForms;

/// The `exact.http` section of the configuration: the lookup services that hold the exact tier.
///
/// @param urls of the services, `http://HOST:PORT` or `https://HOST[:PORT]`, the one to ask first in front
/// @param caFile PEM certificates that `https` trusts; empty for those of the Java runtime
/// @param token of the role fleet at the services; empty to send none
public record HttpExactOptions(List<String> urls, Optional<Path> caFile, String token) {
    private static final Set<String> SCHEMES = Set.of("http", "https");

    public HttpExactOptions {
        urls = List.copyOf(urls);
        urls.forEach(HttpExactOptions::check);
        BearerToken.requireSendable(token);
    }

    public static HttpExactOptions defaults() {
        return new HttpExactOptions(List.of(), Optional.empty(), "");
    }

    private static void check(String url) {
        try {
            URI uri = new URI(url);
            boolean whole = uri.getScheme() != null
                    && SCHEMES.contains(TextForms.lowerCase(uri.getScheme()))
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
