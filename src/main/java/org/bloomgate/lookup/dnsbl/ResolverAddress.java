package org.bloomgate.lookup.dnsbl;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.base.net.IpLiteral;
import org.xbill.DNS.config.ResolvConfResolverConfigProvider;

/// Where a resolver listens: an IP address, never a name that would have to be resolved first.
final class ResolverAddress {
    private static final String DNS_PORT = "53";
    private static final String V6 = "[0-9A-Fa-f]*:[0-9A-Fa-f:.]*";
    private static final Pattern FORM = Pattern.compile(
            "(?<plain>" + V6 + ")|(?:(?<v4>[0-9.]+)|\\[(?<boxed>" + V6 + ")])(?::(?<port>[0-9]{1,5}))?");

    private ResolverAddress() {}

    /// `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353`.
    ///
    /// @throws IllegalArgumentException if it is none of these; the message names the key
    static InetSocketAddress parse(String text) {
        Matcher form = FORM.matcher(text);
        if (form.matches()) {
            int port = Integer.parseInt(Optional.ofNullable(form.group("port")).orElse(DNS_PORT));
            for (String group : List.of("plain", "v4", "boxed")) {
                String literal = form.group(group);
                if (literal != null && IpLiteral.parse(literal).isPresent() && port >= 1 && port <= 65_535) {
                    return new InetSocketAddress(literal, port);
                }
            }
        }
        throw new IllegalArgumentException(
                "resolvers: '" + text + "' is not an IP address as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:5353");
    }

    /// The resolvers to query, in order: those configured, else those of `/etc/resolv.conf`, else one on this machine.
    static List<InetSocketAddress> of(List<String> configured) {
        if (!configured.isEmpty()) {
            return configured.stream().map(ResolverAddress::parse).toList();
        }
        ResolvConfResolverConfigProvider system = new ResolvConfResolverConfigProvider();
        system.initialize();
        return system.servers().isEmpty() ? List.of(parse("127.0.0.1")) : List.copyOf(system.servers());
    }
}
