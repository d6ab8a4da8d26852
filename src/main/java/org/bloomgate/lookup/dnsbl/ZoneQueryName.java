package org.bloomgate.lookup.dnsbl;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.text.TextForms;
import org.xbill.DNS.Address;
import org.xbill.DNS.utils.base32;

/// The query name of a key in a zone: the domain itself before the zone (RFC 5782, 3), of an IPv4 address its
/// bytes in reverse order (2.1), of an IPv6 address its hexadecimal digits in reverse order (2.4). A zone of
/// digests is asked for the digest of the mailbox (lower-case, without `+tag`, at Gmail without dots) or of the
/// file.
final class ZoneQueryName {
    private static final base32 BASE32 = new base32(base32.Alphabet.BASE32, false, false);
    private static final Pattern V4 = Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}");

    private ZoneQueryName() {}

    /// Empty for values that no zone can be queried about.
    static Optional<String> of(Key key, ZoneKeys keys, String zone) {
        return switch (keys) {
            case NAMES, NETWORKS -> of(key, zone);
            case SHA1 -> mailbox(key).map(bytes -> HexFormat.of().formatHex(digest("SHA-1", bytes)) + "." + zone);
            case SHA256 -> sha256(key).map(digest -> TextForms.lowerCase(BASE32.toString(digest)) + "." + zone);
        };
    }

    private static Optional<byte[]> sha256(Key key) {
        return key.kind() == KeyKind.HASH
                ? Optional.of(HexFormat.of().parseHex(key.text()))
                : mailbox(key).map(bytes -> digest("SHA-256", bytes));
    }

    private static Optional<byte[]> mailbox(Key key) {
        return key.kind() == KeyKind.ADDRESS
                ? MailAddress.parse(key.text()).map(address -> address.mailbox().getBytes(StandardCharsets.UTF_8))
                : Optional.empty();
    }

    private static byte[] digest(String algorithm, byte[] bytes) {
        try {
            return MessageDigest.getInstance(algorithm).digest(bytes);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private static Optional<String> of(Key key, String zone) {
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
