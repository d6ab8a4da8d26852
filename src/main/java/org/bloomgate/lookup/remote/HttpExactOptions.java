package org.bloomgate.lookup.remote;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.net.BearerToken;
import org.bloomgate.base.net.WebAddress;

/// The `exact.http` section of the configuration: the lookup services that hold the exact tier.
///
/// @param urls of the services, `http://HOST:PORT` or `https://HOST[:PORT]`, the first one is queried first
/// @param caFile PEM file of the certificates that `https` trusts; empty for those of the Java runtime
/// @param token of the role fleet at the services; empty to send none
public record HttpExactOptions(List<String> urls, Optional<Path> caFile, String token) {
    public HttpExactOptions {
        urls = List.copyOf(urls);
        urls.forEach(url -> WebAddress.requireValid("urls", url));
        BearerToken.requireSendable(token);
    }

    public static HttpExactOptions defaults() {
        return new HttpExactOptions(List.of(), Optional.empty(), "");
    }
}
