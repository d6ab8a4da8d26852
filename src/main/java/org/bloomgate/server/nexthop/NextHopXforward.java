package org.bloomgate.server.nexthop;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bloomgate.core.smtp.ClientIdentity;

/// The XFORWARD commands that pass the real client to a next hop, as [Postfix defined
/// them](https://www.postfix.org/XFORWARD_README.html).
///
/// Unknown clients choose name and HELO: characters other than printable ASCII become `?`, the rest is encoded
/// as xtext (RFC 3461 4), and a value above 255 bytes is sent as `[UNAVAILABLE]`. A command stays below 512
/// bytes; further attributes are sent in further commands.
final class NextHopXforward {
    private static final int MAX_VALUE_CHARS = 255;
    private static final int MAX_COMMAND_CHARS = 510;
    private static final String UNAVAILABLE = "[UNAVAILABLE]";

    private NextHopXforward() {}

    /// The commands without CRLF; none if the next hop accepts none of the attributes known here.
    static List<String> commands(ClientIdentity client, NextHopHello hello) {
        List<String> commands = new ArrayList<>();
        StringBuilder command = new StringBuilder();
        attributes(client).forEach((name, value) -> {
            if (hello.xforward().contains(name)) {
                String attribute = " " + name + "=" + value;
                if (command.length() + attribute.length() > MAX_COMMAND_CHARS) {
                    commands.add(command.toString());
                    command.setLength(0);
                }
                command.append(command.isEmpty() ? "XFORWARD" : "").append(attribute);
            }
        });
        if (!command.isEmpty()) {
            commands.add(command.toString());
        }
        return commands;
    }

    private static Map<String, String> attributes(ClientIdentity client) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("NAME", xtext(client.name()));
        attributes.put("ADDR", xtext(client.address().contains(":") ? "IPV6:" + client.address() : client.address()));
        attributes.put("PORT", client.port() == 0 ? UNAVAILABLE : Integer.toString(client.port()));
        attributes.put("PROTO", xtext(client.protocol()));
        attributes.put("HELO", xtext(client.helo()));
        if (!client.ident().isEmpty()) {
            attributes.put("IDENT", xtext(client.ident()));
        }
        attributes.put("SOURCE", xtext(client.source()));
        return attributes;
    }

    private static String xtext(String value) {
        StringBuilder encoded = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '+' || c == '=') {
                encoded.append('+').append(c == '+' ? "2B" : "3D");
            } else {
                encoded.append(c > ' ' && c < 0x7f ? c : '?');
            }
        }
        return encoded.isEmpty() || encoded.length() > MAX_VALUE_CHARS ? UNAVAILABLE : encoded.toString();
    }
}
