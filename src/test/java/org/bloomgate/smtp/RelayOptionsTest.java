package org.bloomgate.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RelayOptionsTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:2525,*,''",
        "[::1]:25,*,''",
        "localhost:25,*,''",
        "0.0.0.0:25,*,192.0.2.0/24",
        "0.0.0.0:25,a.example,''"
    })
    void closedRelaysAreAccepted(String listen, String domains, String networks) {
        RelayControl.check(listen, list(domains), list(networks));
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0:25,*,''",
        ":25,*,''",
        "[::]:25,*,''",
        "mail.example:25,*,''",
        "192.0.2.1:25,*,'192.0.2.0/24,0.0.0.0/0'",
        "192.0.2.1:25,a.example,::/0"
    })
    void anOpenRelayIsRefused(String listen, String domains, String networks) {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class, () -> RelayControl.check(listen, list(domains), list(networks)));
        assertTrue(refused.toString().contains("smtp.relayDomains"), refused.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2525", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "::1:25"})
    void aListenAddressHasAHostAndAPort(String listen) {
        assertThrows(IllegalArgumentException.class, () -> ListenAddress.parse(listen));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "a.example", "192.0.2.0/33", "192.0.2.0/-1", "192.0.2.0/x", "192.0.2.0/", "2001:db8::/129"})
    void aNetworkIsAnAddressAndAPrefix(String network) {
        assertThrows(IllegalArgumentException.class, () -> Network.parse("key", network));
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.0/24,192.0.2.255,true",
        "192.0.2.0/24,192.0.3.0,false",
        "192.0.2.0/25,192.0.2.128,false",
        "192.0.2.1,192.0.2.1,true",
        "192.0.2.1,192.0.2.2,false",
        "2001:db8::/32,2001:db8:1::1,true",
        "2001:db8::/32,192.0.2.1,false"
    })
    void aNetworkHoldsWhatSharesItsPrefix(String network, String address, boolean holds) {
        assertEquals(holds, Network.parse("key", network).contains(java.net.InetAddress.ofLiteral(address)));
    }

    @Test
    void tlsNeedsBothFiles() {
        assertThrows(IllegalArgumentException.class, () -> new RelayOptions.Tls(TlsMode.STARTTLS, "server.pem", ""));
    }

    @Test
    void defaultsListenOnLoopbackOnly() {
        assertTrue(ListenAddress.parse(RelayOptions.defaults().listen()).loopback());
    }

    private static List<String> list(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
    }
}
