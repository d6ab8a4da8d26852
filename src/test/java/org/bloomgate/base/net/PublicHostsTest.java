package org.bloomgate.base.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublicHostsTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, false",
        "0.0.0.0, false",
        "10.1.2.3, false",
        "172.16.0.1, false",
        "172.32.0.1, true",
        "192.168.1.1, false",
        "169.254.169.254, false",
        "100.64.0.1, false",
        "100.128.0.1, true",
        "198.18.0.1, false",
        "224.0.0.1, false",
        "255.255.255.255, false",
        "203.0.113.5, true",
        "::1, false",
        "::, false",
        "fe80::1, false",
        "fc00::1, false",
        "fd12::1, false",
        "::ffff:127.0.0.1, false",
        "64:ff9b::7f00:1, false",
        "2001:db8::1, true"
    })
    void addressIsPublicOnlyOutsideOwnAndReservedNetworks(String literal, boolean expected) {
        assertEquals(expected, PublicHosts.isPublic(InetAddress.ofLiteral(literal)));
    }
}
