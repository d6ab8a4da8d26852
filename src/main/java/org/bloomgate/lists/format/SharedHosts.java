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

/// Hosts that many strangers share, so that a listing of one would reject mail of all of them: those that ship
/// with the product and those that an operator adds.
///
/// For a host of [Sharing#PATHS], the host and all names above and below it are held back; for one of
/// [Sharing#TENANTS], the host and the names above it, while names below it, each of one customer, are
/// published. If one such host is below another, the longer one decides. URLs with a path or query are never
/// held back. Immutable; a lookup takes one step for each label of the host.
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
                    .filter(text -> HostPatterns.parseLabels(text).isEmpty())
                    .findFirst()
                    .ifPresent(text -> {
                        throw new IllegalArgumentException(key + ": '" + text + "' is not a host; in a label before the"
                                + " last two * may stand for letters, digits and hyphens, % for digits");
                    });
        }

        /// No hosts.
        public static Own defaults() {
            return new Own(List.of(), List.of());
        }
    }

    /// The shipped hosts, read once.
    private static final class Shipped {
        private static final SharedHosts HOSTS = read(Own.defaults());
    }

    /// The hosts that ship with the product.
    public static SharedHosts shipped() {
        return Shipped.HOSTS;
    }

    /// The hosts that ship with the product and an operator's own, which take precedence.
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

    /// A digest, equal for the same hosts.
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

    /// Whether a listing of the whole host would affect strangers.
    ///
    /// @param host in canonical form
    public boolean isShared(String host) {
        return patterns.findSharedHost(host).isPresent();
    }

    /// Adds names that may be held back to `whole`, and names below which some may be to `tails`. No others are
    /// held back.
    void addNames(Set<String> whole, Set<String> tails) {
        patterns.addNames(whole, tails);
    }

    /// The shared host that holds the key back; empty if there is none.
    public Optional<String> sharedHost(Key key) {
        return key.kind().rules().wholeHost(key.text()).flatMap(patterns::findSharedHost);
    }
}
