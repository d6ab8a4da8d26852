package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.bloomgate.RecordCopy;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.server.http.HttpOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CheckRateIT {

    @Test
    void tooManyRequests_get429_statusStaysReadable() throws Exception {
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
}
