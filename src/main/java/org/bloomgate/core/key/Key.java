package org.bloomgate.core.key;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One canonical key as text. Lookups for messages use the bytes in a [KeyBatch]; a `Key` is created only for
/// suspects, listings and output for people.
///
/// `text` is the canonical form: `local@domain`, a host or IP literal, `host/path[?query]`, 40 upper-case hex
/// digits of the SHA-1 of a password or 32 of its NTLM digest, 64 lower-case hex digits of a SHA-256, a folded
/// word or phrase, a network in CIDR form, or a phone number in E.164 form.
public record Key(KeyKind kind, String text) {

    /// The bytes that are hashed and stored: the bytes of a digest or network, and the UTF-8 text of any other
    /// key.
    public byte[] bytes() {
        return kind.rules().bytes(text);
    }

    /// Kind and text, `domain bad.example`, the format that [#ofLine] reads.
    public String line() {
        return kind.label() + ' ' + text;
    }

    /// @throws IllegalArgumentException if the line does not have the format of [#line()]
    public static Key ofLine(String line) {
        int blank = line.indexOf(' ');
        return KeyKind.ofLabel(line.substring(0, Math.max(0, blank)))
                .map(kind -> new Key(kind, line.substring(blank + 1)))
                .orElseThrow(() -> new IllegalArgumentException("not a kind and a key"));
    }

    /// This key, then the keys around it, the narrowest first: networks of an address, paths of a URL, and the host
    /// with its parent domains.
    public List<Key> around() {
        if (kind == KeyKind.NETWORK) {
            return AddressBlock.parse(text).keysAround(0).toList();
        }
        List<Key> around = new ArrayList<>();
        if (kind != KeyKind.DOMAIN) {
            around.add(this);
        }
        if (kind == KeyKind.URL) {
            int last = text.length() - 1;
            for (int slash = text.lastIndexOf('/', last - 1); slash >= 0; slash = text.lastIndexOf('/', slash - 1)) {
                around.add(new Key(KeyKind.URL, text.substring(0, slash + 1)));
            }
        }
        Optional<String> host = kind.rules().host(text);
        for (String name = host.orElse(""); !name.isEmpty(); name = parent(name)) {
            around.add(new Key(KeyKind.DOMAIN, name));
        }
        return around;
    }

    /// The domain that contains a name; empty for a name without a dot.
    private static String parent(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? "" : name.substring(dot + 1);
    }

    /// The key whose [#bytes()] these are.
    public static Key ofBytes(KeyKind kind, byte[] bytes, int offset, int length) {
        return new Key(kind, kind.rules().text(bytes, offset, length));
    }
}
