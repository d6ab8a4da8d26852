package org.bloomgate.key;

/// The domain keys of a host: itself and every parent down to the registrable domain; an IP address only itself.
public final class DomainKeys {
    private DomainKeys() {}

    /// Appends to the identifier begun last; nothing for a bare public suffix.
    public static void append(Host host, PublicSuffixes suffixes, KeyBatch batch) {
        byte[] octets = host.octets();
        append(octets, 0, octets.length, host.kind(), suffixes, batch);
    }

    static void append(byte[] host, int from, int to, HostKind kind, PublicSuffixes suffixes, KeyBatch batch) {
        if (kind != HostKind.NAME) {
            batch.append(host, from, to).endKey(KeyKind.DOMAIN, true);
            return;
        }
        int registrable = suffixes.registrableStart(host, from, to);
        int start = to - from > Host.MAX_NAME_OCTETS ? registrable : from;
        if (registrable < 0) {
            return;
        }
        while (start <= registrable) {
            batch.append(host, start, to).endKey(KeyKind.DOMAIN, start == from);
            int dot = Escapes.indexOf(host, start, to, '.');
            start = dot < 0 ? to : dot + 1;
        }
    }
}
