package org.bloomgate.app.gateway.options;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.config.ConfigReader;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnListenersTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        127.0.0.1:2525 | smtp://127.0.0.1:2525                  | true
        127.0.0.1:2525 | lmtp://127.0.0.1:2525                  | true
        127.0.0.1:2525 | smtp://192.0.2.7:25,127.0.0.1:2525     | true
        127.0.0.1:2525 | smtp://localhost:2525                  | true
        localhost:2525 | smtp://127.0.0.1:2525                  | true
        localhost:2525 | smtp://LOCALHOST:2525                  | true
        :2525          | smtp://127.0.0.1:2525                  | true
        :2525          | smtp://gate.example:2525               | true
        0.0.0.0:2525   | smtp://127.0.0.2:2525                  | true
        [::1]:2525     | smtp://[0:0:0:0:0:0:0:1]:2525          | true
        127.0.0.1:2525 | smtp://127.0.0.1:2526                  | false
        127.0.0.1:2525 | smtp://127.0.0.2:2525                  | false
        127.0.0.1:2525 | smtp://gate.example:2525               | false
        :2525          | smtp://192.0.2.7:2525                  | false
        :2525          | smtp://mx.example:2525                 | false
        127.0.0.1:0    | smtp://127.0.0.1:10025                 | false
        127.0.0.1:2525 | maildir:127.0.0.1:2525                 | false
        """)
    void aNextHopThatIsItselfIsTold(String listen, String nextHop, boolean itself) throws Exception {
        Path file = Files.writeString(folder.resolve("c.yaml"), """
            smtp: { listen: "%s", hostname: gate.example, clientNetworks: ["127.0.0.0/8"] }
            nextHop: "%s"
            """.formatted(listen, nextHop));
        assertEquals(itself ? file + ":2: nextHop" : "", refusal(file));
    }

    @ParameterizedTest
    @CsvSource({"4650, true", "4651, false"})
    void furtherListenersCountAsWell(int port, boolean itself) throws Exception {
        Path file = Files.writeString(folder.resolve("c.yaml"), """
            nextHop: "smtp://127.0.0.1:%d"
            smtp: { listeners: { inside: { listen: "127.0.0.1:4650" } } }
            """.formatted(port));
        assertEquals(itself ? file + ":1: nextHop" : "", refusal(file));
    }

    /// Where and at which key; empty when it is taken.
    private static String refusal(Path file) {
        try {
            ConfigReader.read(file, Map.of(), Map.of(), Configuration.defaults());
            return "";
        } catch (ConfigException e) {
            String first = e.errors().getFirst().toString();
            return first.substring(0, first.indexOf(": ", first.indexOf(": ") + 2));
        }
    }
}
