package org.bloomgate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.PasswordDigest;
import org.bloomgate.key.Use;
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
    void aKnownPasswordIsWeakAndAnUnknownOneIsNot() {
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
    void aPasswordTypedInDecomposedFormIsFound() {
        try (LiveService service = LiveService.over(listing("gr\u00fcn").inForce())) {
            assertTrue(ask(service, "gru\u0308n").contains("\"weak\":true"));
            assertTrue(ask(service, "gru\\u0308n").contains("\"weak\":true"));
        }
    }

    @Test
    void aFalsePositiveIsNotWeak() {
        SmallLayer layer = listing(WEAK).collides(key(STRONG));
        try (LiveService service = LiveService.over(layer.inForce())) {
            assertTrue(ask(service, STRONG).contains("\"weak\":false"));
        }
    }

    @Test
    void whatCannotBeFoundOutIsNeitherWeakNorStrong() {
        try (LiveService silent = LiveService.over(listing(WEAK).fallSilent().inForce());
                LiveService empty = LiveService.over(SmallLayer.none())) {
            for (LiveService service : new LiveService[] {silent, empty}) {
                HttpResponse<String> answer = service.post("/v1/passwords", "{\"password\":\"" + WEAK + "\"}");
                assertEquals(503, answer.statusCode());
                assertEquals(
                        "{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503,"
                                + "\"detail\":\"could not find out whether the password is listed\"}",
                        answer.body());
            }
        }
    }

    @Test
    void noAnswerAndNoLogLineHoldsAPassword() {
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
                WEAK,
            };
            for (String body : bodies) {
                assertFalse(service.post("/v1/passwords", body).body().contains(WEAK), body);
                assertFalse(silent.post("/v1/passwords", body).body().contains(WEAK), body);
                byte[] octets = body.getBytes(StandardCharsets.UTF_8);
                assertFalse(service.post("/v1/passwords", "text/plain", octets)
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
