package org.bloomgate.server.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.core.text.TextForms;

/// Rejects requests that a page of another site makes with the help of a visitor's browser: by a host name of
/// its own that resolves to this address (DNS rebinding), or by a form or script that posts across sites.
/// Clients other than browsers send neither field and are not affected.
public final class SameSite {
    private static final HeaderName FETCH_SITE = HeaderNames.create("Sec-Fetch-Site");
    private static final Set<String> OWN = Set.of("same-origin", "none");
    private static final Set<String> CHANGING = Set.of("POST", "PUT", "PATCH", "DELETE");

    /// Queried by machines under any name, and reveals nothing.
    private static final String HEALTH = "/health/";

    private final Set<String> hosts;

    /// @param hosts names that a `Host` field may have; none: any
    public SameSite(List<HostField> hosts) {
        this.hosts = hosts.stream().map(HostField::text).collect(Collectors.toUnmodifiableSet());
    }

    /// True if a browser states that the request comes from our own page.
    static boolean isOwnPage(Request request) {
        return request.header(FETCH_SITE).filter("same-origin"::equals).isPresent();
    }

    /// @throws ProblemException when the request comes from elsewhere
    void require(String method, String path, ServerRequestHeaders headers) {
        String host = first(headers, HeaderNames.HOST).orElse("");
        if (!hosts.isEmpty() && !path.startsWith(HEALTH) && !hosts.contains(name(host))) {
            throw new ProblemException(
                    Problem.of(421, "Misdirected Request", "unknown Host name; add it to http.hosts"));
        }
        if (CHANGING.contains(method) && isOfAnotherSite(headers, host)) {
            throw new ProblemException(Problem.of(403, "Forbidden", "cross-site request refused"));
        }
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
        String lower = TextForms.lowerCase(host);
        int end = lower.startsWith("[") ? lower.indexOf(']') + 1 : lower.indexOf(':');
        return end <= 0 ? lower : lower.substring(0, end);
    }

    private static Optional<String> first(ServerRequestHeaders headers, HeaderName name) {
        return headers.first(name);
    }
}
