package org.bloomgate.server.nexthop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NextHopAddressTest {

    @Test
    void aMaildirIsAPath() {
        assertEquals(new NextHopAddress.Maildir(Path.of("var/mail")), NextHopAddress.parse("maildir:var/mail"));
    }

    @Test
    void serversAreTriedInTheOrderGiven() {
        assertEquals(
                new NextHopAddress.Servers(
                        NextHopDialect.SMTP,
                        List.of(
                                InetSocketAddress.createUnresolved("mx1.example", 25),
                                InetSocketAddress.createUnresolved("2001:db8::1", 10026),
                                InetSocketAddress.createUnresolved("192.0.2.1", 65_535))),
                NextHopAddress.parse("smtp://mx1.example:25,[2001:db8::1]:10026, 192.0.2.1:65535"));
        assertEquals(
                new NextHopAddress.Servers(
                        NextHopDialect.LMTP, List.of(InetSocketAddress.createUnresolved("localhost", 24))),
                NextHopAddress.parse("lmtp://localhost:24"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "maildir:",
                "maildir:  ",
                "maildir:a\0b",
                "var/mail",
                "http://mx.example:25",
                "SMTP://mx.example:25",
                "smtp://",
                "smtp://mx.example",
                "smtp://mx.example:",
                "smtp://:25",
                "smtp://mx.example:0",
                "smtp://mx.example:65536",
                "smtp://mx.example:999999",
                "smtp://mx.example:25,",
                "smtp://mx.example:25/",
                "smtp://user@mx.example:25",
                "smtp://2001:db8::1:25",
                "smtp://mx example:25"
            })
    void anythingElseIsRefusedWithWhatToWrite(String text) {
        String message = assertThrows(IllegalArgumentException.class, () -> NextHopAddress.parse(text))
                .toString();
        assertTrue(message.contains("nextHop: \"" + text + "\""), message);
        assertTrue(message.contains("write maildir:PATH, smtp://HOST:PORT"), message);
    }
}
