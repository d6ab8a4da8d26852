package org.bloomgate.app.gateway.options;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.base.config.Labelled;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.lookalike.LookAlikes;
import org.bloomgate.core.lookalike.People;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.HostKind;

/// The `protect` section of the configuration.
///
/// @param names domains that others must not imitate: own domains, those of partners, brands
/// @param people the addresses of people by the name that senders show
/// @param brands what is done with a sender who names a brand that is not its own
public record ProtectOptions(List<String> names, Map<String, List<String>> people, OnBrand brands) {

    /// What is done about brands.
    public enum OnBrand implements Labelled {
        /// They are not searched.
        OFF,
        REPORT,
        TAG,
        QUARANTINE
    }

    public ProtectOptions {
        names = names.stream().map(name -> domain(name)).distinct().toList();
        if (names.size() > LookAlikes.MAX_NAMES) {
            throw new IllegalArgumentException("names: at most " + LookAlikes.MAX_NAMES);
        }
        people = Map.copyOf(people);
        people.forEach((name, addresses) -> addresses.forEach(address -> requireAddress(name, address)));
        People _ = new People(people);
    }

    /// The canonical form of a domain below a public suffix.
    private static String domain(String name) {
        Optional<Host> host = Host.parse(name)
                .filter(parsed -> parsed.kind() == HostKind.NAME && !parsed.isEscaped())
                .filter(parsed -> !PublicSuffixes.bundled().isPublicSuffix(parsed));
        return host.map(Host::text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "names: '" + name + "' is not a registrable domain (for example bank.example)"));
    }

    private static void requireAddress(String name, String address) {
        if (MailAddress.parse(address).isEmpty()) {
            throw new IllegalArgumentException("people." + name + ": '" + address + "' is not an address");
        }
    }

    public static ProtectOptions defaults() {
        return new ProtectOptions(List.of(), Map.of(), OnBrand.TAG);
    }
}
