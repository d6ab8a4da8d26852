package org.bloomgate.server.nexthop;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Opens the next hop that the configuration names.
public final class NextHops {
    private NextHops() {}

    /// Checks an address without opening anything.
    ///
    /// @throws IllegalArgumentException if the address is wrong; the message has key, value and remedy
    public static void check(String address) {
        NextHopAddress _ = NextHopAddress.parse(address);
    }

    /// The servers of an address, unresolved; none for a maildir.
    ///
    /// @throws IllegalArgumentException when the address is wrong
    public static List<InetSocketAddress> servers(String address) {
        return switch (NextHopAddress.parse(address)) {
            case NextHopAddress.Maildir _ -> List.of();
            case NextHopAddress.Servers servers -> servers.hosts();
        };
    }

    /// The folder of an address that is a maildir.
    ///
    /// @throws IllegalArgumentException when the address is wrong
    public static Optional<Path> maildir(String address) {
        return switch (NextHopAddress.parse(address)) {
            case NextHopAddress.Maildir maildir -> Optional.of(maildir.folder());
            case NextHopAddress.Servers _ -> Optional.empty();
        };
    }

    /// Opens a next hop. The capabilities of a server are read in the background; a dead server fails at MAIL,
    /// not here.
    ///
    /// @param address `maildir:PATH`, `smtp://HOST:PORT[,HOST:PORT..]` or `lmtp://HOST:PORT[,HOST:PORT..]`
    /// @throws IllegalArgumentException when the address is wrong: the message names key, value and remedy
    /// @throws IOException when the maildir cannot be made, or the CA file not read
    public static NextHop open(String address, NextHopOptions options) throws IOException {
        return switch (NextHopAddress.parse(address)) {
            case NextHopAddress.Maildir maildir -> new MaildirNextHop(maildir.folder());
            case NextHopAddress.Servers servers -> {
                SmtpNextHop nextHop = new SmtpNextHop(servers, options);
                nextHop.connectInBackground();
                yield nextHop;
            }
        };
    }
}
