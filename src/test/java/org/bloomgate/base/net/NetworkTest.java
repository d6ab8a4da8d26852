package org.bloomgate.base.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a.example",
                "192.0.2.0/33",
                "192.0.2.0/-1",
                "192.0.2.0/x",
                "192.0.2.0/",
                "2001:db8::/129",
                "192.0.2/24",
                "fe80::1%eth0"
            })
    void aNetworkIsAnAddressAndAPrefix(String network) {
        assertThrows(IllegalArgumentException.class, () -> Network.of(network));
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
        assertEquals(holds, Network.of(network).contains(InetAddress.ofLiteral(address)));
    }
}
