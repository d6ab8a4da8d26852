package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PasswordDigest;
import org.bloomgate.core.key.Use;
import org.junit.jupiter.api.Test;

class PasswordJourneyIT {
    private static final String WEAK = "hunter2";
    private static final String STRONG = "correct horse battery";

    private static Key key(String password) {
        return PasswordDigest.key(PasswordDigest.of(password.getBytes(StandardCharsets.UTF_8)));
    }

    private static SmallLayer listing(String password) {
        return new SmallLayer().lists(KeyKind.PASSWORD, key(password).text(), Use.LINK, 17_043);
    }

    private static String ask(LiveService service, String password) {
        HttpResponse<String> answer = service.post("/v1/passwords", "{\"password\":\"" + password + "\"}");
        assertEquals(200, answer.statusCode(), answer.body());
        assertEquals(
                "application/json", answer.headers().firstValue("Content-Type").orElse(""));
        assertEquals("no-store", answer.headers().firstValue("Cache-Control").orElse(""));
        return answer.body();
    }

    @Test
    void listedPassword_isWeakAndAnotherIsNot() {
        try (LiveService service = LiveService.over(listing(WEAK).inForce())) {
            assertEquals(
                    "{\"weak\":true,\"count\":17043,\"snapshot\":\"" + SmallLayer.GENERATION + "\"}",
                    ask(service, WEAK));
            assertEquals(
                    "{\"weak\":false,\"count\":0,\"snapshot\":\"" + SmallLayer.GENERATION + "\"}",
                    ask(service, STRONG));
        }
    }

    @Test
    void passwordInDecomposedForm_isFound() {
        try (LiveService service = LiveService.over(listing("gr\u00fcn").inForce())) {
            assertTrue(ask(service, "gru\u0308n").contains("\"weak\":true"));
            assertTrue(ask(service, "gru\\u0308n").contains("\"weak\":true"));
        }
    }

    @Test
    void falsePositive_isNotWeak() {
        SmallLayer layer = listing(WEAK).collides(key(STRONG));
        try (LiveService service = LiveService.over(layer.inForce())) {
            assertTrue(ask(service, STRONG).contains("\"weak\":false"));
        }
    }

    @Test
    void digest_isLookedUpWithoutThePassword() {
        try (LiveService service = LiveService.over(listing(WEAK).inForce())) {
            String digest = key(WEAK).text();
            for (String hex : new String[] {digest, digest.toLowerCase(Locale.ROOT)}) {
                assertTrue(service.post("/v1/passwords", "{\"sha1\":\"" + hex + "\"}")
                        .body()
                        .startsWith("{\"weak\":true,\"count\":17043,"));
            }
        }
    }

    @Test
    void ntlmDigest_needsAnNtlmList() {
        String ntlm = "8846F7EAEE8FB117AD06BDD830B7586C";
        SmallLayer both = listing(WEAK)
                .lists(
                        KeyKind.PASSWORD,
                        PasswordDigest.ofNtlmHex(ntlm).orElseThrow().text(),
                        Use.LINK,
                        9_545_824);
        try (LiveService service = LiveService.over(both.inForce());
                LiveService none = LiveService.over(listing(WEAK).inForce())) {
            String question = "{\"ntlm\":\"" + ntlm.toLowerCase(Locale.ROOT) + "\"}";
            assertTrue(service.post("/v1/passwords", question).body().startsWith("{\"weak\":true,\"count\":9545824,"));
            assertTrue(service.post("/v1/passwords", question.replace("88", "99"))
                    .body()
                    .startsWith("{\"weak\":false,"));
            assertEquals(503, none.post("/v1/passwords", question).statusCode());
        }
    }

    @Test
    void listWithoutCounts_countsEachPasswordOnce() {
        SmallLayer layer = new SmallLayer().lists(KeyKind.PASSWORD, key(WEAK).text(), Use.LINK, 0);
        try (LiveService service = LiveService.over(layer.inForce())) {
            String once = "{\"weak\":true,\"count\":1,\"snapshot\":\"" + SmallLayer.GENERATION + "\"}";
            assertEquals(once, ask(service, WEAK));
            assertEquals(once, ask(service, "\\u0068unter2"));
        }
    }

    /// One form of the body is read by a way of its own: both ways answer alike.
    @Test
    void equivalentBodies_getTheSameAnswer() {
        try (LiveService service = LiveService.over(listing(WEAK).inForce())) {
            String weak = "{\"weak\":true,\"count\":17043,\"snapshot\":\"" + SmallLayer.GENERATION + "\"}";
            for (String body : new String[] {
                "{\"password\":\"hunter2\"}",
                "{\"password\": \"hunter2\"}",
                "{ \"password\" : \"hunter2\" }\n",
                "{\"password\":\"\\u0068unter2\"}"
            }) {
                assertEquals(weak, service.post("/v1/passwords", body).body(), body);
            }
            String good = weak.replace("true", "false").replace("17043", "0");
            for (String body : new String[] {"{\"password\":\"hunter2 \"}", "{\"password\":\"hunter2}\"}"}) {
                assertEquals(good, service.post("/v1/passwords", body).body(), body);
            }
            for (String body : new String[] {
                "{\"password\":\"\"}",
                "{\"password\":\"}",
                "{\"password\":\"hunter2\",\"password\":\"hunter2\"}",
                "{\"password\":\"hun\nter2\"}",
                "{\"password\":\"hunter2\"}}",
                "{\"password\":\"hunter2\\\"}",
                "{\"password\":\"a\"b\"}"
            }) {
                assertEquals(400, service.post("/v1/passwords", body).statusCode(), body);
            }
        }
    }

    @Test
    void request_isOneOfThreeAndNoArray() {
        try (LiveService service = LiveService.over(listing(WEAK).inForce())) {
            String digest = key(WEAK).text();
            String[] bodies = {
                "{}",
                "{\"variants\":false,\"password\":\"a\"}",
                "{\"password\":\"a\",\"passwords\":[\"b\"]}",
                "{\"passwords\":[\"b\"]}",
                "{\"sha1\":\"" + digest + "\",\"password\":\"a\"}",
                "{\"sha1\":\"" + digest + "0\"}",
                "{\"ntlm\":\"" + digest + "\"}",
                "{\"sha1s\":[\"" + digest + "\"]}",
                "{\"sha1\":\"" + digest + "\",\"ntlm\":\"8846F7EAEE8FB117AD06BDD830B7586C\"}",
            };
            for (String body : bodies) {
                assertEquals(400, service.post("/v1/passwords", body).statusCode(), body);
            }
        }
    }

    @Test
    void unresolvedPassword_isNeitherWeakNorStrong() {
        try (LiveService silent = LiveService.over(listing(WEAK).fallSilent().inForce())) {
            HttpResponse<String> answer = silent.post("/v1/passwords", "{\"password\":\"" + WEAK + "\"}");
            assertEquals(503, answer.statusCode());
            assertEquals(
                    "{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503,"
                            + "\"detail\":\"could not find out whether the password is listed\"}",
                    answer.body());
        }
    }

    @Test
    void withoutPasswordList_theProblemHasItsOwnType() {
        SmallLayer domains = new SmallLayer().lists(KeyKind.DOMAIN, "bad.example");
        try (LiveService none = LiveService.over(SmallLayer.none());
                LiveService mail = LiveService.over(domains.inForce())) {
            for (LiveService service : new LiveService[] {none, mail}) {
                for (String field : new String[] {"\"password\":\"x\"", "\"password\": \"x\""}) {
                    HttpResponse<String> answer = service.post("/v1/passwords", "{" + field + "}");
                    assertEquals(503, answer.statusCode());
                    assertTrue(answer.body().startsWith("{\"type\":\"/problems/no-password-list\","), answer.body());
                }
            }
        }
    }

    @Test
    void password_isInNoAnswerAndNoLogLine() {
        try (LiveService service = LiveService.over(listing(WEAK).inForce());
                LiveService silent = LiveService.over(listing(WEAK).fallSilent().inForce())) {
            String[] bodies = {
                "{\"password\":\"" + WEAK + "\"}",
                "{\"password\":\"" + STRONG + WEAK + "\"}",
                "{\"password\":\"" + WEAK,
                "{\"password\":" + WEAK + "}",
                "{\"" + WEAK + "\":1}",
                "{\"password\":[\"" + WEAK + "\"]}",
                "{\"password\":\"" + WEAK.repeat(3_000) + "\"}",
                "{\"password\":\"" + WEAK.repeat(30_000) + "\"}",
                "{\"password\":\"" + WEAK + "\\ud800\"}",
                "{\"passwords\":[\"" + WEAK + "\",\"" + STRONG + WEAK + "\"]}",
                "{\"passwords\":[\"" + WEAK + "\",\"\"]}",
                "{\"passwords\":\"" + WEAK + "\"}",
                "{\"sha1\":\"" + WEAK + "\"}",
                "{\"password\":\"" + WEAK.toUpperCase(Locale.ROOT) + "99\",\"" + WEAK + "\":true}",
                WEAK,
            };
            for (String body : bodies) {
                assertFalse(service.post("/v1/passwords", body).body().contains(WEAK), body);
                assertFalse(silent.post("/v1/passwords", body).body().contains(WEAK), body);
                byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                assertFalse(service.post("/v1/passwords", "text/plain", bytes)
                        .body()
                        .contains(WEAK));
            }
            String item = "{\"items\":[{\"kind\":\"password\",\"value\":\"" + WEAK + "\"}]}";
            assertFalse(service.post("/v1/check", item).body().contains(WEAK));
            assertFalse(service.post("/v1/check", item.replace("password", "pass"))
                    .body()
                    .contains(WEAK));
            assertFalse(service.log().contains(WEAK), service.log());
            assertFalse(service.log().contains(key(WEAK).text()));
            assertFalse(service.get("/metrics").body().contains(WEAK));
        }
    }
}
