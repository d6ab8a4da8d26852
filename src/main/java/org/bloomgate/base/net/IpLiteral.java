package org.bloomgate.base.net;

import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Pattern;

/// IP addresses in text. Nothing is resolved.
public final class IpLiteral {
    /// Four decimal numbers without leading zeros: programs differ in how they read shorter or octal forms.
    private static final Pattern DOTTED = Pattern.compile("((0|[1-9]\\d{0,2})\\.){3}(0|[1-9]\\d{0,2})");

    /// A zone (`%eth0`) means something on one machine only.
    private static final Pattern COLONS = Pattern.compile("[0-9A-Fa-f:.]{2,45}");

    private IpLiteral() {}

    /// Empty when the text is not an address. An IPv4-mapped IPv6 address becomes the IPv4 address.
    public static Optional<InetAddress> parse(String text) {
        boolean numeric = DOTTED.matcher(text).matches()
                || (text.indexOf(':') >= 0 && COLONS.matcher(text).matches());
        try {
            return numeric ? Optional.of(InetAddress.ofLiteral(text)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// Without an IPv6 zone.
    public static String text(InetAddress address) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        return zone < 0 ? text : text.substring(0, zone);
    }
}
