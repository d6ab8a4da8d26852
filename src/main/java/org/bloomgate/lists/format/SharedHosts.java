package org.bloomgate.lists.format;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.ShortLinks;
import org.bloomgate.core.text.TextScan;

/// Hosts that many strangers share: a listing of one would refuse mail of all of them. Those that ship with
/// the product and those an operator adds.
///
/// For a host of [Sharing#PATHS], the host and all names above and below it are held; for one of
/// [Sharing#TENANTS], the host and the names above it, while names below it, each of one customer, are
/// published. If one such host is below another, the longer one decides. URLs with a path or query are never
/// held. Immutable; a lookup takes a step for each label of the host.
public final class SharedHosts {
    private static final String SHIPPED = "shared-hosts.txt";

    private final HostPatterns patterns;
    private final String digest;

    /// What separates the parties that share a host.
    public enum Sharing {
        /// The path of a URL.
        PATHS,
        /// A label of their own before the host.
        TENANTS
    }

    private SharedHosts(HostPatterns patterns, String digest) {
        this.patterns = patterns;
        this.digest = digest;
    }

    /// The shared hosts that an operator adds, in the notation of the shipped ones.
    ///
    /// @param paths of [Sharing#PATHS]
    /// @param tenants of [Sharing#TENANTS]
    public record Own(List<String> paths, List<String> tenants) {
        public Own {
            paths = List.copyOf(paths);
            tenants = List.copyOf(tenants);
            requireHosts("paths", paths);
            requireHosts("tenants", tenants);
        }

        private static void requireHosts(String key, List<String> hosts) {
            hosts.stream()
                    .filter(text -> HostPatterns.labels(text).isEmpty())
                    .findFirst()
                    .ifPresent(text -> {
                        throw new IllegalArgumentException(key + ": '" + text + "' is not a host; in a label before the"
                                + " last two * may stand for letters, digits and hyphens, % for digits");
                    });
        }

        /// Nothing.
        public static Own defaults() {
            return new Own(List.of(), List.of());
        }
    }

    /// Read once.
    private static final class Shipped {
        private static final SharedHosts HOSTS = read(Own.defaults());
    }

    /// Those that ship with the product.
    public static SharedHosts shipped() {
        return Shipped.HOSTS;
    }

    /// Those that ship with the product and an operator's own, which go before them.
    public static SharedHosts with(Own own) {
        return own.equals(Own.defaults()) ? shipped() : read(own);
    }

    private static SharedHosts read(Own own) {
        HostPatterns patterns = new HostPatterns();
        List<String> shipped = new ArrayList<>(ShippedLines.of(SharedHosts.class, SHIPPED));
        ShortLinks.hosts().stream().sorted().forEach(host -> shipped.add("paths " + host));
        for (String line : shipped) {
            List<String> words = TextScan.words(line, c -> c == ' ', 2);
            patterns.add(words.getLast(), sharing(words.getFirst()));
        }
        own.paths().forEach(host -> patterns.add(host, Sharing.PATHS));
        own.tenants().forEach(host -> patterns.add(host, Sharing.TENANTS));
        return new SharedHosts(patterns, Sha256.hex((shipped + " " + own).getBytes(StandardCharsets.UTF_8)));
    }

    /// Equal for hosts that hold the same.
    String digest() {
        return digest;
    }

    private static Sharing sharing(String word) {
        return switch (word) {
            case "paths" -> Sharing.PATHS;
            case "tenants" -> Sharing.TENANTS;
            default -> throw new IllegalArgumentException(word);
        };
    }

    /// Whether a listing of the whole host would meet strangers.
    ///
    /// @param host in canonical form
    public boolean holds(String host) {
        return patterns.meets(host).isPresent();
    }

    /// Adds names that may be held themselves, and names below which some may be. All others are not held.
    void addNames(Set<String> whole, Set<String> tails) {
        patterns.addNames(whole, tails);
    }

    /// The shared host because of which the key is held back.
    public Optional<String> holding(Key key) {
        return key.kind().rules().wholeHost(key.text()).flatMap(patterns::meets);
    }
}
