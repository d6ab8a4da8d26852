package org.bloomgate.server.nexthop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.bloomgate.core.smtp.Capabilities;
import org.bloomgate.core.smtp.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NextHopHelloTest {

    @Test
    void theFirstLineIsNoExtension() {
        assertEquals(
                new Capabilities(Set.of("8BITMIME", "SIZE", "DSN"), 1_000),
                hello("dsn.example SIZE 7", "8bitmime", "Size 1000", "  DSN\t", "")
                        .capabilities());
        assertEquals(new Capabilities(Set.of(), 0), hello("mx.example").capabilities());
    }

    @ParameterizedTest
    @CsvSource({
        "SIZE, 0",
        "SIZE 0, 0",
        "SIZE -1, 0",
        "SIZE ten, 0",
        "SIZE 999999999999999999, 999999999999999999",
        "SIZE 99999999999999999999, 0"
    })
    void aSizeThatIsNoNumberIsNoLimit(String line, long sizeBytes) {
        assertEquals(sizeBytes, hello("mx.example", line).capabilities().sizeBytes());
    }

    @Test
    void theAttributesOfXforwardAreKept() {
        assertEquals(
                Set.of("NAME", "ADDR"),
                hello("mx.example", "XFORWARD name ADDR ADDR").xforward());
    }

    private static NextHopHello hello(String... lines) {
        return NextHopHello.parse(new Reply(250, List.of(lines)));
    }
}
