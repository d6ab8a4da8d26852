package org.bloomgate.server.smtp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.base.net.Network;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.core.smtp.IdentityAttribute;
import org.bloomgate.core.smtp.Parsed;
import org.bloomgate.core.smtp.Replies;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.decision.authentication.ResultsSource;
import org.bloomgate.server.nexthop.DeadlineSocket;

/// The client of a session, as the connection, the PROXY header, XCLIENT and XFORWARD state it. These are
/// accepted from configured networks only.
///
/// Trust depends on the address of the connection, after its PROXY header; XCLIENT does not change it.
final class SessionIdentity {
    /// Short, as a proxy sends its header when it connects.
    private static final Duration PROXY_HEADER_TIMEOUT = Duration.ofSeconds(10);

    private InetAddress connected;
    private Peer peer;
    private boolean trusted;
    private boolean overridden;
    private final Map<IdentityAttribute, String> forwarded = new EnumMap<>(IdentityAttribute.class);

    SessionIdentity(DeadlineSocket connection, List<Network> trustedNetworks) {
        connected = connection.getInetAddress();
        peer = new Peer(Optional.of(connected), connection.getPort(), "");
        trusted = isIn(trustedNetworks);
    }

    private boolean isIn(List<Network> trustedNetworks) {
        return trustedNetworks.stream().anyMatch(network -> network.contains(connected));
    }

    /// Reads the PROXY header with which a connection begins.
    ///
    /// @throws IOException if it is invalid, too late, or from a peer that is not trusted
    void readProxyHeader(DeadlineSocket connection, List<Network> trustedNetworks) throws IOException {
        if (!trusted) {
            throw new ProtocolException("not a proxy of smtp.trusted");
        }
        connection.readUntil(System.nanoTime() + PROXY_HEADER_TIMEOUT.toNanos());
        Optional<Peer> client = ProxyHeader.read(connection.getInputStream());
        client.flatMap(Peer::address).ifPresent(address -> connected = address);
        peer = client.orElse(peer);
        trusted = isIn(trustedNetworks);
    }

    /// The address that limits apply to: the client that a proxy states, otherwise the peer.
    InetAddress connected() {
        return connected;
    }

    /// The address whose share of the next hop a transaction uses: the client that a trusted peer states, or
    /// the peer. Empty for a trusted peer that states no client, which has no bound, and for an unknown client.
    Optional<InetAddress> shareOf(Optional<InetAddress> origin) {
        return origin.filter(address -> !trusted || !address.equals(connected));
    }

    Peer peer() {
        return peer;
    }

    /// A trusted peer that states another client with XCLIENT is a proxy: the fields of its messages are that
    /// client's.
    ResultsSource results() {
        return trusted && !overridden ? ResultsSource.TRUSTED_RELAY : ResultsSource.STRANGER;
    }

    /// Lines of the EHLO reply.
    List<String> ehloLines() {
        return trusted
                ? List.of(
                        IdentityAttribute.announcement("XCLIENT", IdentityAttribute.OF_XCLIENT),
                        IdentityAttribute.announcement("XFORWARD", IdentityAttribute.OF_XFORWARD))
                : List.of();
    }

    /// Applies XCLIENT: the session continues with another client. Absent attributes are kept, but a new
    /// address has neither the name, the port nor the login of the old one. The client must send HELO again.
    ///
    /// @return the reason it was rejected, or empty if it was accepted
    Optional<Reply> applyXclient(String arguments) {
        if (!trusted) {
            return Optional.of(Replies.NOT_TRUSTED);
        }
        return switch (IdentityAttribute.parse(arguments, IdentityAttribute.OF_XCLIENT)) {
            case Parsed.Refused<Map<IdentityAttribute, String>>(Reply reply) -> Optional.of(reply);
            case Parsed.Valid<Map<IdentityAttribute, String>>(Map<IdentityAttribute, String> values) -> {
                overridden = true;
                boolean hasNewAddress = values.containsKey(IdentityAttribute.ADDR);
                Peer before = hasNewAddress ? new Peer(address(values), 0, "") : peer;
                peer = new Peer(
                        before.address(),
                        port(values, before.port()),
                        values.getOrDefault(IdentityAttribute.NAME, before.name()),
                        values.getOrDefault(IdentityAttribute.LOGIN, before.login()));
                yield Optional.empty();
            }
        };
    }

    /// Applies XFORWARD: the client of the next message. Several commands add up until the transaction ends.
    Reply applyXforward(String arguments) {
        if (!trusted) {
            return Replies.NOT_TRUSTED;
        }
        return switch (IdentityAttribute.parse(arguments, IdentityAttribute.OF_XFORWARD)) {
            case Parsed.Refused<Map<IdentityAttribute, String>>(Reply reply) -> reply;
            case Parsed.Valid<Map<IdentityAttribute, String>>(Map<IdentityAttribute, String> values) -> {
                forwarded.putAll(values);
                yield Replies.OK;
            }
        };
    }

    /// The identity stated by XFORWARD; absent attributes are unknown.
    Optional<ClientIdentity> forwarded() {
        return forwarded.isEmpty()
                ? Optional.empty()
                : Optional.of(new ClientIdentity(
                        forwardedValue(IdentityAttribute.ADDR),
                        port(forwarded, 0),
                        forwardedValue(IdentityAttribute.NAME),
                        forwardedValue(IdentityAttribute.HELO),
                        forwardedValue(IdentityAttribute.PROTO),
                        forwardedValue(IdentityAttribute.IDENT),
                        forwardedValue(IdentityAttribute.SOURCE)));
    }

    void forgetForwarded() {
        forwarded.clear();
    }

    private String forwardedValue(IdentityAttribute attribute) {
        return forwarded.getOrDefault(attribute, "");
    }

    private static Optional<InetAddress> address(Map<IdentityAttribute, String> values) {
        return IpLiteral.parse(values.getOrDefault(IdentityAttribute.ADDR, ""));
    }

    private static int port(Map<IdentityAttribute, String> values, int defaultPort) {
        String port = values.getOrDefault(IdentityAttribute.PORT, Integer.toString(defaultPort));
        return port.isEmpty() ? 0 : Integer.parseInt(port);
    }
}
