package org.bloomgate.lookup.dns;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.base.net.IpLiteral;
import org.xbill.DNS.config.ResolvConfResolverConfigProvider;

/// The `exact.dns` section of the configuration.
///
/// @param resolvers IP addresses with or without a port, in the order of use, never names that would have to be
///     resolved first; empty for the resolvers of the system
public record DnsOptions(List<String> resolvers) {
    private static final String DNS_PORT = "53";
    private static final String V6 = "[0-9A-Fa-f]*:[0-9A-Fa-f:.]*";
    private static final Pattern FORM = Pattern.compile(
            "(?<plain>" + V6 + ")|(?:(?<v4>[0-9.]+)|\\[(?<boxed>" + V6 + ")])(?::(?<port>[0-9]{1,5}))?");

    public DnsOptions {
        resolvers = List.copyOf(resolvers);
        resolvers.forEach(DnsOptions::parse);
    }

    public static DnsOptions defaults() {
        return new DnsOptions(List.of());
    }

    /// `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353`.
    private static InetSocketAddress parse(String text) {
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
    List<InetSocketAddress> addresses() {
        if (!resolvers.isEmpty()) {
            return resolvers.stream().map(DnsOptions::parse).toList();
        }
        ResolvConfResolverConfigProvider system = new ResolvConfResolverConfigProvider();
        system.initialize();
        return system.servers().isEmpty() ? List.of(parse("127.0.0.1")) : List.copyOf(system.servers());
    }
}
