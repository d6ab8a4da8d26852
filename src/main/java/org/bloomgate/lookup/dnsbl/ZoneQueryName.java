package org.bloomgate.lookup.dnsbl;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.xbill.DNS.Address;

/// The name to ask a zone for a key: the domain itself before the zone (RFC 5782, 3), of an IPv4 address its bytes
/// in reverse order (2.1), of an IPv6 address its hexadecimal digits in reverse order (2.4).
final class ZoneQueryName {
    private static final Pattern V4 = Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}");

    private ZoneQueryName() {}

    /// Empty for values that no zone can be queried about.
    static Optional<String> of(Key key, String zone) {
        if (key.kind() == KeyKind.NETWORK) {
            byte[] bytes = key.bytes();
            AddressBlock block = AddressBlock.ofBytes(bytes, 0, bytes.length);
            return block.isSingle()
                    ? host(block.isIpv4() ? block.address() : "[" + block.address() + "]")
                            .map(host -> host + "." + zone)
                    : Optional.empty();
        }
        return key.kind().rules().hasZones() ? host(key.text()).map(host -> host + "." + zone) : Optional.empty();
    }

    private static Optional<String> host(String text) {
        if (V4.matcher(text).matches()) {
            return Optional.of(reversed(text.split("\\.")));
        }
        if (!text.startsWith("[")) {
            return Optional.of(text);
        }
        return Optional.ofNullable(Address.toByteArray(text.substring(1, text.length() - 1), Address.IPv6))
                .map(bytes -> reversed(HexFormat.of().formatHex(bytes).split("")));
    }

    private static String reversed(String[] parts) {
        List<String> list = Arrays.asList(parts);
        return String.join(".", list.reversed());
    }
}
