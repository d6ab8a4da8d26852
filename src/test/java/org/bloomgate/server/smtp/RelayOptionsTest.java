package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.base.net.Network;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        RelayControl.check(
                ListenAddress.of(listen),
                list(domains).stream().map(RelayDomain::of).toList(),
                networks(networks));
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
                IllegalArgumentException.class,
                () -> RelayControl.check(
                        ListenAddress.of(listen),
                        list(domains).stream().map(RelayDomain::of).toList(),
                        networks(networks)));
        assertTrue(refused.toString().contains("relayDomains"), refused.toString());
    }

    @Test
    void aKeyWithoutACertificateIsNoTls() {
        assertThrows(IllegalArgumentException.class, () -> new RelayOptions.Tls(TlsMode.STARTTLS, "", "server.key"));
    }

    @Test
    void defaultsListenOnLoopbackOnly() {
        assertTrue(RelayOptions.defaults(Path.of("var")).access().listen().isLoopback());
    }

    private static List<Network> networks(String text) {
        return list(text).stream().map(Network::of).toList();
    }

    private static List<String> list(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
    }
}
