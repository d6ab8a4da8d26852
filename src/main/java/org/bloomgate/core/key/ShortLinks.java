package org.bloomgate.core.key;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.core.url.CanonicalUrl;

/// Hosts of short links, whose targets cannot be known without following them; the list ships with the product.
public final class ShortLinks {
    private static final String SHIPPED = "short-links.txt";
    private static final Set<String> HOSTS = shipped();

    private ShortLinks() {}

    /// The hosts, as canonical names.
    public static Set<String> hosts() {
        return HOSTS;
    }

    /// Whether the URL is a short link; the front page of a shortener is not one.
    public static boolean hides(CanonicalUrl url) {
        return url.path().length() > 1 && HOSTS.contains(withoutWww(url.host().text()));
    }

    private static String withoutWww(String host) {
        return host.startsWith("www.") ? host.substring(4) : host;
    }

    private static Set<String> shipped() {
        try (InputStream in = Objects.requireNonNull(ShortLinks.class.getResourceAsStream(SHIPPED), SHIPPED)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
