package org.bloomgate.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookOptionsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://hooks.example/a?b=c",
                "https://hooks.example:8443",
                "http://127.0.0.1:9/x",
                "http://localhost/x",
                "http://[::1]:9/x"
            })
    void addressesThatNobodyOverhearsAreTaken(String url) {
        assertEquals(List.of(), new WebhookOptions(url, "SECRET").problems());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://hooks.example/x",
                "http://192.0.2.1/x",
                "http://127.0.0.1.example/x",
                "https://user@hooks.example/x",
                "https://hooks.example/x#y",
                "https:///x",
                "https://a b/",
                "ftp://hooks.example/x",
                "hooks.example"
            })
    void othersAreNot(String url) {
        List<String> problems = new WebhookOptions(url, "SECRET").problems();
        assertEquals(1, problems.size());
        assertTrue(problems.getFirst().startsWith("url "), problems::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a-b", "1A", "$A"})
    void anAddressWantsTheNameOfAVariable(String secretEnv) {
        List<String> problems = new WebhookOptions("https://hooks.example/", secretEnv).problems();
        assertEquals(1, problems.size());
        assertTrue(problems.getFirst().startsWith("secretEnv "), problems::toString);
    }
}
