package org.bloomgate.lookup.dns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DnsOptionsTest {

    @ParameterizedTest
    @CsvSource({
        "192.0.2.53, 192.0.2.53, 53",
        "192.0.2.53:5353, 192.0.2.53, 5353",
        "2001:db8::53, 2001:db8:0:0:0:0:0:53, 53",
        "[2001:db8::53], 2001:db8:0:0:0:0:0:53, 53",
        "[::1]:65535, 0:0:0:0:0:0:0:1, 65535"
    })
    void literal_withOrWithoutPort_isAccepted(String text, String host, int port) {
        InetSocketAddress address = new DnsOptions(List.of(text)).addresses().getFirst();
        assertEquals(host, address.getAddress().getHostAddress());
        assertEquals(port, address.getPort());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "resolver.example:53",
                "192.0.2",
                "192.0.2.256",
                "192.0.2.1:0",
                "192.0.2.1:65536",
                "192.0.2.1:",
                "[192.0.2.1]:53",
                "2001:db8::53:",
                "[2001:db8::53",
                "[::1]53",
                "1.2.3.4.5",
                ":53",
                "::g"
            })
    void otherText_isRejectedWithItsKey(String text) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> new DnsOptions(List.of(text)));
        assertTrue(refused.toString().contains(": resolvers: '" + text + "'"), refused::toString);
    }

    @Test
    void noResolvers_areThoseOfTheSystem() {
        assertFalse(DnsOptions.defaults().addresses().isEmpty());
        assertEquals(
                List.of(new InetSocketAddress("192.0.2.1", 53), new InetSocketAddress("192.0.2.2", 54)),
                new DnsOptions(List.of("192.0.2.1", "192.0.2.2:54")).addresses());
    }
}
