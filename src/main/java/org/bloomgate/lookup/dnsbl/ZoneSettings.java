package org.bloomgate.lookup.dnsbl;

import java.util.Optional;
import java.util.Set;

/// A zone and how its answers are to be taken. Equal settings are one zone, which is queried once for all its feeds.
///
/// @param errors further addresses that mean "query refused"
/// @param testPoint name that must be listed; empty for TEST or 127.0.0.2
/// @param keys what it is queried for
public record ZoneSettings(ZoneName name, Set<String> errors, Optional<String> testPoint, ZoneKeys keys) {
    private static final String RESERVED = "127.255.255.";

    public ZoneSettings {
        errors = Set.copyOf(errors);
    }

    /// A zone of names without settings of its own.
    public static ZoneSettings of(String zone) {
        return new ZoneSettings(ZoneName.of(zone), Set.of(), Optional.empty(), ZoneKeys.NAMES);
    }

    /// In 127.0.0.0/8 (RFC 5782, 2.1), but not a refusal.
    boolean isOfListing(String address) {
        return address.startsWith("127.")
                && !address.equals("127.0.0.0")
                && refusal(address).isEmpty();
    }

    /// What an address says about the query instead of the name: 127.0.0.1 is never listed (RFC 5782, 5) and
    /// what some zones answer to clients they refuse; 127.255.255.0/24 are error codes.
    Optional<String> refusal(String address) {
        if (address.startsWith(RESERVED)) {
            return Optional.of(address + " (" + meaning(address.substring(RESERVED.length())) + ")");
        }
        return address.equals("127.0.0.1") || errors.contains(address)
                ? Optional.of(address + " (query refused)")
                : Optional.empty();
    }

    private static String meaning(String code) {
        return switch (code) {
            case "252" -> "wrong name of the zone";
            case "254" -> "query through a public resolver";
            case "255" -> "too many queries";
            default -> "error";
        };
    }
}
