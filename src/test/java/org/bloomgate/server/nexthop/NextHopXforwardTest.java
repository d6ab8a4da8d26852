package org.bloomgate.server.nexthop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.core.smtp.Reply;
import org.junit.jupiter.api.Test;

class NextHopXforwardTest {
    private static final NextHopHello ALL = offering("NAME ADDR PORT PROTO HELO SOURCE");

    @Test
    void onlyOfferedAttributesAreTold() {
        ClientIdentity client = new ClientIdentity("192.0.2.7", 4321, "mx.example", "mx.example", "ESMTP");
        assertEquals(
                List.of("XFORWARD ADDR=192.0.2.7 HELO=mx.example"),
                NextHopXforward.commands(client, offering("ADDR HELO IDENT")));
        assertEquals(List.of(), NextHopXforward.commands(client, offering("")));
        assertEquals(List.of(), NextHopXforward.commands(client, NextHopHello.NONE));
    }

    @Test
    void whatIsUnknownIsSaidToBeUnavailable() {
        assertEquals(
                List.of("XFORWARD NAME=[UNAVAILABLE] ADDR=IPV6:2001:db8::1 PORT=[UNAVAILABLE] PROTO=SMTP"
                        + " HELO=[UNAVAILABLE] SOURCE=REMOTE"),
                NextHopXforward.commands(new ClientIdentity("2001:db8::1", 0, "", "", "SMTP"), ALL));
    }

    @Test
    void aHeloOfAStrangerCannotBreakTheCommand() {
        ClientIdentity client = new ClientIdentity("192.0.2.7", 1, "", "a b\r\nRSET+=\u00e9", "ESMTP");
        assertEquals(List.of("XFORWARD HELO=a?b??RSET+2B+3D?"), NextHopXforward.commands(client, offering("HELO")));
    }

    @Test
    void aValueMayHave255BytesAndNoCommandExceeds512() {
        String longest = "n".repeat(255);
        ClientIdentity client = new ClientIdentity("192.0.2.7", 1, longest, longest, "ESMTP");
        List<String> commands = NextHopXforward.commands(client, ALL);
        assertEquals(2, commands.size());
        assertTrue(commands.stream().allMatch(command -> command.length() <= 510), commands::toString);
        ClientIdentity tooLong = new ClientIdentity("192.0.2.7", 1, "", longest + "n", "ESMTP");
        assertEquals(List.of("XFORWARD HELO=[UNAVAILABLE]"), NextHopXforward.commands(tooLong, offering("HELO")));
    }

    private static NextHopHello offering(String attributes) {
        return NextHopHello.parse(new Reply(250, List.of("mx.example", "XFORWARD " + attributes)));
    }
}
