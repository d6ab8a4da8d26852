package org.bloomgate.server.milter;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.net.Network;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MilterAddressTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:8891", "[::1]:0", "unix:/run/bloomgate/milter.sock", "unix:var/milter.sock"})
    void anAddressIsWrittenAsItWasRead(String text) {
        assertEquals(text, MilterAddress.of(text).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"8891", "unix:", "inet:8891@127.0.0.1", "127.0.0.1:65536"})
    void whatIsNoAddressIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> MilterAddress.of(text));
    }

    @Test
    void aPathMayHaveItsBoundAndNoByteMore() {
        String longest = "unix:/" + "x".repeat(MilterAddress.MAX_PATH_BYTES - 1);
        assertEquals(longest, MilterAddress.of(longest).toString());
        assertThrows(IllegalArgumentException.class, () -> MilterAddress.of(longest + "x"));
    }

    @Test
    void whatOthersReachNeedsNetworksToTakeThemFrom() {
        assertDoesNotThrow(() -> options("127.0.0.1:0").check(List.of()));
        assertDoesNotThrow(() -> options("unix:/x").check(List.of()));
        assertDoesNotThrow(() -> options("0.0.0.0:8891").check(List.of(Network.of("192.0.2.0/24"))));
        assertThrows(
                IllegalArgumentException.class, () -> options("0.0.0.0:8891").check(List.of()));
        assertThrows(
                IllegalArgumentException.class, () -> options("0.0.0.0:8891").check(List.of(Network.of("0.0.0.0/0"))));
        assertDoesNotThrow(() -> MilterOptions.defaults().check(List.of()));
    }

    @Test
    void othersThanThisMachineConnectFromTheirNetworksOnly() {
        List<Network> networks = List.of(Network.of("192.0.2.0/24"));
        assertTrue(MilterAddress.allows(InetAddress.ofLiteral("192.0.2.7"), networks));
        assertTrue(MilterAddress.allows(InetAddress.ofLiteral("127.0.0.1"), networks));
        assertFalse(MilterAddress.allows(InetAddress.ofLiteral("198.51.100.7"), networks));
    }

    private static MilterOptions options(String listen) {
        return new MilterOptions(Optional.of(MilterAddress.of(listen)));
    }
}
