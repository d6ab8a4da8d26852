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
/// @param urls of the services, `http://HOST:PORT` or `https://HOST[:PORT]`, the first one is queried first
/// @param caFile PEM file of the certificates that `https` trusts; empty for those of the Java runtime
/// @param token of the role fleet at the services; empty to send none
public record HttpExactOptions(List<String> urls, Optional<Path> caFile, String token) {
    private static final Set<String> SCHEMES = Set.of("http", "https");

    public HttpExactOptions {
        urls = List.copyOf(urls);
        urls.forEach(url -> requireValid("urls", url));
        BearerToken.requireSendable(token);
    }

    public static HttpExactOptions defaults() {
        return new HttpExactOptions(List.of(), Optional.empty(), "");
    }

    /// @param key for the message
    /// @throws IllegalArgumentException if this is not the address of a web server
    static void requireValid(String key, String url) {
        try {
            URI uri = new URI(url);
            boolean isValid = uri.getScheme() != null
                    && SCHEMES.contains(TextForms.lowerCase(uri.getScheme()))
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null;
            if (!isValid) {
                throw createException(key, url);
            }
        } catch (URISyntaxException e) {
            throw createException(key, url);
        }
    }

    private static IllegalArgumentException createException(String key, String url) {
        return new IllegalArgumentException(key + ": '" + url + "' is not as http://HOST:PORT or https://HOST:PORT");
    }
}
