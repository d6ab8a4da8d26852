package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.bloomgate.RecordCopy;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.server.http.HttpOptions;
import org.bloomgate.server.http.Operator;
import org.bloomgate.server.http.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CheckRateIT {

    @Test
    void requestsBeyondTheRate_get429() throws Exception {
        HttpOptions once = RecordCopy.with(LiveService.OPTIONS, "checksPerSecond", 1);
        try (LiveService service = new LiveService(
                new SmallLayer().lists(KeyKind.DOMAIN, "evil.example").inForce(), once)) {
            String question = "{\"items\":[{\"kind\":\"domain\",\"value\":\"evil.example\"}]}";
            int first = service.post("/v1/check", question).statusCode();
            int refused = 0;
            for (int i = 0; i < 50; i++) {
                refused += service.post("/v1/check", question).statusCode() == 429 ? 1 : 0;
            }
            assertEquals(200, first);
            assertEquals(true, refused > 0);
            assertEquals(200, service.get("/health/live").statusCode());
        }
    }

    @Test
    void operatorWithAQuota_countsByItsTokenAlone() {
        Map<String, Operator> operators = Map.of(
                "slow", new Operator(Role.CLIENT, "the-token-of-the-slow", 1),
                "fast", new Operator(Role.CLIENT, "the-token-of-the-fast", 1_000_000));
        HttpOptions once = RecordCopy.with(LiveService.OPTIONS, "checksPerSecond", 1);
        try (LiveService service = new LiveService(SmallLayer.none(), RecordCopy.with(once, "operators", operators))) {
            assertEquals(0, refused(service, "the-token-of-the-fast"));
            assertEquals(true, refused(service, "the-token-of-the-slow") > 0);
            assertEquals(true, refused(service, "a-token-that-no-one-has") > 0);
            assertEquals(0, refused(service, "the-token-of-the-fast"));
        }
    }

    private static int refused(LiveService service, String token) {
        int refused = 0;
        for (int i = 0; i < 20; i++) {
            refused += service.send(token, "GET", "/range/00000", "").statusCode() == 429 ? 1 : 0;
        }
        return refused;
    }
}
