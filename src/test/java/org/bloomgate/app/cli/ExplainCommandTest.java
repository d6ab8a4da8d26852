package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.bloomgate.app.cli.common.ExitStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExplainCommandTest extends CliRig {
    @BeforeEach
    void rebuild() throws IOException {
        configure(
                STORES,
                "name: plain, kind: domain, source: FOLDER/hosts, category: phishing",
                "name: mild, kind: domain, source: FOLDER/hosts, category: phishing, action: tag",
                "name: new, kind: domain, source: FOLDER/hosts, category: phishing, shadow: true",
                "name: nets, kind: network, format: cidr, source: FOLDER/nets, category: spam, shadow: true, trusted: true");
        write("hosts", "evil.example\n");
        write("nets", "192.0.2.0/24\n");
        done("rebuild");
    }

    private static String feed(Invocation explained, String name) {
        return explained.lines().stream()
                .filter(line -> line.contains("feed " + name + ","))
                .findFirst()
                .orElseThrow(() -> new AssertionError(explained.out()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ABCDEFGH123", "ABCDEFGH1234U", "abcd-efgh-12u4"})
    void mistypedToken_isAMistake(String token) {
        Invocation explained = run("explain", token);

        assertEquals(ExitStatus.MISTAKE, explained.status());
        assertTrue(explained.err().contains("neither a token"), explained::err);
    }

    @Test
    void strongestActionOfAFeed_isShown() {
        Invocation explained = run("explain", "evil.example");

        assertTrue(feed(explained, "mild").endsWith(", does at most tag"), explained::out);
        assertTrue(feed(explained, "new").endsWith(", in shadow: recorded, not enforced"), explained::out);
        assertTrue(feed(explained, "plain").endsWith("last seen TIME"), explained::out);
    }

    @Test
    void shadowOfANetworkFeed_isShown() {
        Invocation explained = run("explain", "--kind", "network", "192.0.2.7");

        assertTrue(feed(explained, "nets").endsWith(", in shadow: recorded, not enforced"), explained::out);
    }

    @Test
    void json_hasLimitsOfAFeedOnlyWhereThereAreSome() {
        String object = run("explain", "--json", "evil.example").lines().getFirst();

        assertTrue(object.matches(".*\"feed\":\"mild\"[^}]*\"atMost\":\"tag\"}.*"), object);
        assertTrue(object.matches(".*\"feed\":\"new\"[^}]*\"shadow\":true}.*"), object);
        assertFalse(object.matches(".*\"feed\":\"plain\"[^}]*(atMost|shadow).*"), object);
    }
}
