package org.bloomgate.server.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import java.net.InetAddress;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.core.text.TextForms;

/// Rejects requests that a page of another site makes through a visitor's browser: by a host name that resolves
/// to this address (DNS rebinding), or by a form or script that posts across sites.
///
/// On a loopback address, where no token is needed, the `Host` field of a request without a token must be
/// `localhost`, a loopback address or one of `http.hosts`. A page of another site cannot send a token. Requests by
/// HTTP/1.0, which no browser sends, may have any name.
final class SameSite {
    private static final HeaderName FETCH_SITE = HeaderNames.create("Sec-Fetch-Site");
    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");
    private static final Set<String> CHANGING_METHODS = Set.of("POST", "PUT", "PATCH", "DELETE");

    /// The path of probes, which use any host name; the answers reveal nothing.
    private static final String HEALTH = "/health/";

    private static final Pattern PORT = Pattern.compile("(:\\d{0,5})?");

    private final Set<String> hosts;
    private final boolean loopback;

    /// @param options with the names that a `Host` field may have; empty for any
    SameSite(HttpOptions options) {
        this.hosts = options.hosts().stream().map(HostField::text).collect(Collectors.toUnmodifiableSet());
        this.loopback = options.listen().isLoopback();
    }

    /// True if a browser states that the request comes from our own page.
    static boolean isOwnPage(Request request) {
        return request.header(FETCH_SITE).filter("same-origin"::equals).isPresent();
    }

    /// @param hasToken whether the request has a valid token
    /// @throws ProblemException if the request comes from another site
    void require(String method, String path, ServerRequestHeaders headers, boolean hasToken) {
        String host = first(headers, HeaderNames.HOST).orElse("");
        boolean revealsNothing = path.startsWith(HEALTH) || method.equals("OPTIONS");
        if (!revealsNothing && !isKnown(TextForms.lowerCase(host), hasToken)) {
            throw new ProblemException(
                    Problem.of(421, "Misdirected Request", "unknown Host name; add it to http.hosts"));
        }
        if (CHANGING_METHODS.contains(method) && isOfAnotherSite(headers, host)) {
            throw new ProblemException(Problem.of(403, "Forbidden", "cross-site request refused"));
        }
    }

    private boolean isKnown(String host, boolean hasToken) {
        String name = name(host);
        boolean anyHost = (hosts.isEmpty() && (!loopback || hasToken)) || name.equals(OlderRequest.UNKNOWN_HOST);
        boolean wellFormed = PORT.matcher(host.substring(name.length())).matches();
        return anyHost || (wellFormed && (hosts.contains(name) || (loopback && isThisMachine(name))));
    }

    private static boolean isThisMachine(String name) {
        String address = name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
        return name.equals("localhost")
                || IpLiteral.parse(address)
                        .filter(InetAddress::isLoopbackAddress)
                        .isPresent();
    }

    private static boolean isOfAnotherSite(ServerRequestHeaders headers, String host) {
        Optional<String> site = first(headers, FETCH_SITE);
        return site.isPresent()
                ? !OWN_SITE.contains(site.get())
                : first(headers, HeaderNames.ORIGIN)
                        .filter(origin -> !isOf(origin, host))
                        .isPresent();
    }

    private static boolean isOf(String origin, String host) {
        int scheme = origin.indexOf("://");
        return scheme >= 0 && origin.substring(scheme + 3).equalsIgnoreCase(host);
    }

    /// The host without its port.
    private static String name(String host) {
        int end = host.startsWith("[") ? host.indexOf(']') + 1 : host.indexOf(':');
        return end <= 0 ? host : host.substring(0, end);
    }

    private static Optional<String> first(ServerRequestHeaders headers, HeaderName name) {
        return headers.first(name);
    }
}
