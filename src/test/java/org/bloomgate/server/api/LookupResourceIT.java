package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.util.Collections;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.tier.LayerSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `POST /v1/lookup` over a socket.
@Timeout(60)
class LookupResourceIT {
    private static final String EVIL = "{\"layer\":\"nightly\",\"kind\":\"domain\",\"key\":\"evil.example\"}";
    private static final String GOOD = EVIL.replace("evil", "good");

    private static SmallLayer small() {
        return new SmallLayer().lists(KeyKind.DOMAIN, "evil.example");
    }

    private static String ask(LayerSource layers, String... items) {
        try (LiveService service = LiveService.over(layers)) {
            HttpResponse<String> answer = service.post("/v1/lookup", "{\"items\":[" + String.join(",", items) + "]}");
            assertEquals(200, answer.statusCode(), answer.body());
            return answer.body();
        }
    }

    @Test
    void items_areAnsweredInOrderWithTheirGeneration() {
        assertEquals("""
                {"layers":{"nightly":"20260305T010203Z"},"answers":[{"answer":"not listed"},\
                {"answer":"listed","listings":[{"feed":"sample","category":"phishing","match":"suffix",\
                "uses":["link"],"firstSeen":"2026-01-02T03:04:05Z","lastSeen":"2026-03-04T05:06:07Z",\
                "count":0}]}]}""", ask(small().inForce(), GOOD, EVIL));
    }

    @Test
    void items_areLookedUpInTheirOwnLayer() {
        LayerSource both = small().inForceWith(new SmallLayer().lists(KeyKind.DOMAIN, "new.example"), "G2");
        String hourly = EVIL.replace("nightly", "hourly");
        String answer = ask(both, hourly, EVIL, hourly.replace("evil", "new"));
        assertTrue(answer.startsWith("{\"layers\":{\"hourly\":\"G2\",\"nightly\":\"20260305T010203Z\"}"), answer);
        String words = answer.replaceAll("\"listings\":\\[[^]]*]}]", "");
        assertEquals(3, words.split("\"answer\":", -1).length - 1, answer);
        assertTrue(words.matches(".*\"not listed\".*\"listed\".*\"listed\".*"), answer);
    }

    @Test
    void unknownLayer_isUnresolvedWithoutGeneration() {
        assertEquals(
                "{\"layers\":{},\"answers\":[{\"answer\":\"unknown\",\"reason\":\"no-layer\"}]}",
                ask(small().inForce(), EVIL.replace("nightly", "local")));
    }

    @Test
    void unavailableStore_isUnresolvedWithoutDetails() {
        assertTrue(
                ask(small().fallSilent().inForce(), EVIL).endsWith("[{\"answer\":\"unknown\",\"reason\":\"store\"}]}"));
    }

    @Test
    void remoteLayer_isNotQueriedForOthers() {
        assertTrue(ask(small().movesElsewhere().inForce(), EVIL)
                .endsWith("[{\"answer\":\"unknown\",\"reason\":\"no-data\"}]}"));
    }

    @Test
    void noItems_getNoAnswers() {
        assertEquals("{\"layers\":{},\"answers\":[]}", ask(small().inForce()));
    }

    @Test
    void itemsBeyondTheLimit_areRejected() {
        try (LiveService service = LiveService.over(small().inForce())) {
            int most = LiveService.OPTIONS.maxItems();
            assertEquals(200, service.post("/v1/lookup", items(most)).statusCode());
            HttpResponse<String> refused = service.post("/v1/lookup", items(most + 1));
            assertEquals(413, refused.statusCode());
            assertTrue(refused.body().contains("at most " + most + " items"), refused.body());
        }
    }

    private static String items(int count) {
        return "{\"items\":[" + String.join(",", Collections.nCopies(count, GOOD)) + "]}";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{\"items\":[{}]}",
                "{\"items\":[{\"layer\":\"nightly\",\"kind\":\"host\",\"key\":\"a.example\"}]}",
                "{\"items\":[{\"layer\":\"nightly\",\"kind\":\"domain\",\"key\":7}]}",
                "{\"items\":[{\"layer\":\"nightly\",\"kind\":\"url\",\"key\":\"a.example/\\ud800\"}]}",
                "{\"items\":[{\"layer\":\"nightly\",\"kind\":\"domain\",\"key\":\"a\",\"more\":1}]}",
            })
    void malformedLookup_isAProblem(String body) {
        try (LiveService service = LiveService.over(small().inForce())) {
            HttpResponse<String> refused = service.post("/v1/lookup", body);
            assertEquals(400, refused.statusCode(), refused.body());
            assertTrue(refused.body().startsWith("{\"type\":\"/problems/invalid-"), refused.body());
        }
    }
}
