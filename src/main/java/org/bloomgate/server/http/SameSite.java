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

/// Rejects requests that a page of another site makes with the help of a visitor's browser: by a host name of
/// its own that resolves to this address (DNS rebinding), or by a form or script that posts across sites.
///
/// On a loopback address, where anyone may ask without a token, a request without one must name this machine:
/// `localhost`, a loopback address or one of `http.hosts`. A page of another site cannot send a token.
public final class SameSite {
    private static final HeaderName FETCH_SITE = HeaderNames.create("Sec-Fetch-Site");
    private static final Set<String> OWN = Set.of("same-origin", "none");
    private static final Set<String> CHANGING = Set.of("POST", "PUT", "PATCH", "DELETE");

    /// Queried by machines under any name, and reveals nothing.
    private static final String HEALTH = "/health/";

    /// The name of a request by HTTP/1.0 that has none, as no browser sends it.
    private static final Set<String> OF_THIS_MACHINE = Set.of("localhost", OlderRequest.UNKNOWN_HOST);

    private static final Pattern PORT = Pattern.compile("(:\\d{0,5})?");

    private final Set<String> hosts;
    private final boolean loopback;

    /// @param options whose `hosts` are the names that a `Host` field may have; none: any
    public SameSite(HttpOptions options) {
        this.hosts = options.hosts().stream().map(HostField::text).collect(Collectors.toUnmodifiableSet());
        this.loopback = options.listen().loopback();
    }

    /// True if a browser states that the request comes from our own page.
    static boolean isOwnPage(Request request) {
        return request.header(FETCH_SITE).filter("same-origin"::equals).isPresent();
    }

    /// @param byToken whether the request has a token that someone has
    /// @throws ProblemException when the request comes from elsewhere
    void require(String method, String path, ServerRequestHeaders headers, boolean byToken) {
        String host = first(headers, HeaderNames.HOST).orElse("");
        if (!path.startsWith(HEALTH) && !isKnown(TextForms.lowerCase(host), byToken)) {
            throw new ProblemException(
                    Problem.of(421, "Misdirected Request", "unknown Host name; add it to http.hosts"));
        }
        if (CHANGING.contains(method) && isOfAnotherSite(headers, host)) {
            throw new ProblemException(Problem.of(403, "Forbidden", "cross-site request refused"));
        }
    }

    private boolean isKnown(String host, boolean byToken) {
        String name = name(host);
        boolean any = hosts.isEmpty() && (!loopback || byToken);
        boolean wellFormed = PORT.matcher(host.substring(name.length())).matches();
        return any || (wellFormed && (hosts.contains(name) || (loopback && isThisMachine(name))));
    }

    private static boolean isThisMachine(String name) {
        String address = name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
        return OF_THIS_MACHINE.contains(name)
                || IpLiteral.parse(address)
                        .filter(InetAddress::isLoopbackAddress)
                        .isPresent();
    }

    private static boolean isOfAnotherSite(ServerRequestHeaders headers, String host) {
        Optional<String> site = first(headers, FETCH_SITE);
        return site.isPresent()
                ? !OWN.contains(site.get())
                : first(headers, HeaderNames.ORIGIN)
                        .filter(origin -> !isOf(origin, host))
                        .isPresent();
    }

    private static boolean isOf(String origin, String host) {
        int scheme = origin.indexOf("://");
        return scheme >= 0 && origin.substring(scheme + 3).equalsIgnoreCase(host);
    }

    /// Without its port.
    private static String name(String host) {
        int end = host.startsWith("[") ? host.indexOf(']') + 1 : host.indexOf(':');
        return end <= 0 ? host : host.substring(0, end);
    }

    private static Optional<String> first(ServerRequestHeaders headers, HeaderName name) {
        return headers.first(name);
    }
}
