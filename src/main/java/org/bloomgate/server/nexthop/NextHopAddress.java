package org.bloomgate.server.nexthop;

import java.net.InetSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.core.text.TextScan;

/// The parsed `nextHop` setting.
public sealed interface NextHopAddress {

    /// `maildir:PATH`
    record Maildir(Path folder) implements NextHopAddress {}

    /// `smtp://HOST:PORT[,HOST:PORT..]` or `lmtp://..`; the later ones are used if the first fails.
    ///
    /// @param hosts unresolved: a name is looked up at each connect
    record Servers(NextHopDialect dialect, List<InetSocketAddress> hosts) implements NextHopAddress {
        public Servers {
            hosts = List.copyOf(hosts);
        }
    }

    String SYNTAX = "write maildir:PATH, smtp://HOST:PORT[,HOST:PORT..] or lmtp://HOST:PORT[,HOST:PORT..]";
    Pattern HOST_AND_PORT = Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([A-Za-z0-9._-]+)):([0-9]{1,5})");

    /// @throws IllegalArgumentException if the text is not an address; the message says what to write
    static NextHopAddress parse(String text) {
        if (text.startsWith("maildir:")) {
            return maildir(text, text.substring("maildir:".length()));
        }
        if (text.startsWith("smtp://")) {
            return servers(text, NextHopDialect.SMTP, text.substring("smtp://".length()));
        }
        if (text.startsWith("lmtp://")) {
            return servers(text, NextHopDialect.LMTP, text.substring("lmtp://".length()));
        }
        throw wrong(text, "has no known scheme");
    }

    private static NextHopAddress maildir(String text, String path) {
        if (path.isBlank()) {
            throw wrong(text, "names no folder");
        }
        try {
            return new Maildir(Path.of(path));
        } catch (InvalidPathException invalid) {
            throw wrong(text, "is not a path (" + invalid.getReason() + ")");
        }
    }

    private static NextHopAddress servers(String text, NextHopDialect dialect, String list) {
        List<InetSocketAddress> hosts = new ArrayList<>();
        for (String item : TextScan.split(list, c -> c == ',')) {
            Matcher parts = HOST_AND_PORT.matcher(item.strip());
            if (!parts.matches()) {
                throw wrong(text, "has \"" + item + "\", which is not HOST:PORT");
            }
            int port = Integer.parseInt(parts.group(3));
            if (port < 1 || port > 65_535) {
                throw wrong(text, "has a port that is not between 1 and 65535");
            }
            String host = parts.group(1) == null ? parts.group(2) : parts.group(1);
            hosts.add(InetSocketAddress.createUnresolved(host, port));
        }
        return new Servers(dialect, hosts);
    }

    private static IllegalArgumentException wrong(String text, String what) {
        return new IllegalArgumentException("nextHop: \"" + text + "\" " + what + "; " + SYNTAX);
    }
}
