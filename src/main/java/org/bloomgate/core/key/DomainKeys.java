package org.bloomgate.core.key;

import java.nio.charset.StandardCharsets;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.core.url.Escapes;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.HostKind;

/// The domain keys of a host: the host and every parent down to the registrable domain; for a public suffix
/// that may be listed ([PublicSuffixes#listableStart]), only the suffix; for an IP address, only the address,
/// as a host and as a network.
public final class DomainKeys {
    private DomainKeys() {}

    /// Appends the keys to the last identifier of the batch; nothing for a host that cannot be listed.
    public static void append(Host host, PublicSuffixes suffixes, KeyBatch batch) {
        byte[] bytes = host.bytes();
        append(bytes, 0, bytes.length, host.kind(), suffixes, batch);
    }

    /// The same for the bytes of a canonical host between two positions. Creates no object.
    public static void append(byte[] host, int from, int to, HostKind kind, PublicSuffixes suffixes, KeyBatch batch) {
        if (kind != HostKind.NAME) {
            batch.append(host, from, to).endKey(KeyKind.DOMAIN, true);
            appendAddress(host, from, to, kind, batch);
            return;
        }
        int shortest = suffixes.listableStart(host, from, to);
        int start = to - from > Host.MAX_NAME_BYTES ? shortest : from;
        if (shortest < 0) {
            return;
        }
        while (start <= shortest) {
            batch.append(host, start, to).endKey(KeyKind.DOMAIN, start == from);
            int dot = Escapes.indexOf(host, start, to, '.');
            start = dot < 0 ? to : dot + 1;
        }
    }

    /// Appends the address as a network, so that lists of networks are looked up as well.
    private static void appendAddress(byte[] host, int from, int to, HostKind kind, KeyBatch batch) {
        int brackets = kind == HostKind.IPV6 ? 1 : 0;
        String literal = new String(host, from + brackets, to - from - 2 * brackets, StandardCharsets.US_ASCII);
        IpLiteral.parse(literal).map(AddressBlock::of).ifPresent(address -> address.append(batch));
    }
}
