package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PasswordDigest;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.server.http.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RangesIT {
    private static final String FIRST = "21BD1" + "0018A45C4D1DEF81644B54AB7F969B88D65";
    private static final String SECOND = "21BD1" + "00D4F6E8FA6EECAD2A3AA415EEC418D38EC";
    private static final String NEXT_PREFIX = "21BD2" + "00000000000000000000000000000000000";
    private static final String LAST_PREFIX = "FFFFF" + "FF5C4A486B528DD84D1F1D3F41A06E92563";
    private static final String NTLM = "21BD1" + "0018A45C4D1DEF81644B54AB7F9";

    private static SmallLayer sha1s() {
        return new SmallLayer()
                .lists(KeyKind.PASSWORD, SECOND, Use.LINK, 2)
                .lists(KeyKind.PASSWORD, FIRST, Use.LINK, 10)
                .lists(KeyKind.PASSWORD, NEXT_PREFIX, Use.LINK, 3)
                .lists(KeyKind.PASSWORD, LAST_PREFIX, Use.LINK, 0);
    }

    private static SmallLayer withNtlm() {
        Key key = PasswordDigest.ofNtlmHex(NTLM).orElseThrow();
        return sha1s().lists(KeyKind.PASSWORD, key.text(), Use.LINK, 99);
    }

    private static HttpResponse<String> get(LiveService service, String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(service.uri(path));
        return service.send(
                headers.length == 0 ? request.build() : request.headers(headers).build());
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    @Test
    void range_hasItsSuffixesInOrder() {
        try (LiveService service = LiveService.over(withNtlm().inForce())) {
            HttpResponse<String> answer = get(service, "/range/21BD1");
            assertEquals(200, answer.statusCode());
            assertEquals(FIRST.substring(5) + ":10\r\n" + SECOND.substring(5) + ":2", answer.body());
            assertEquals("text/plain", header(answer, "Content-Type"));
            assertEquals("*", header(answer, "Access-Control-Allow-Origin"));
            assertEquals("max-age=60", header(answer, "Cache-Control"));
            assertTrue(header(answer, "ETag").matches("\"[\\w-]{11}\""), header(answer, "ETag"));
            assertEquals(answer.body(), get(service, "/range/21bD1").body());
            assertEquals(answer.body(), get(service, "/range/21BD1?mode=SHA1").body());
        }
    }

    @Test
    void listWithoutCounts_countsEachEntryOnce() {
        try (LiveService service = LiveService.over(sha1s().inForce())) {
            assertEquals(
                    LAST_PREFIX.substring(5) + ":1",
                    get(service, "/range/fffff").body());
            assertTrue(service.post("/v1/passwords", "{\"sha1\":\"" + LAST_PREFIX + "\"}")
                    .body()
                    .startsWith("{\"weak\":true,\"count\":1,"));
            HttpResponse<String> none = get(service, "/range/00000");
            assertEquals(200, none.statusCode());
            assertEquals("", none.body());
        }
    }

    @Test
    void rangeOfTwoLayers_hasTheHighestCounts() {
        SmallLayer newer = new SmallLayer()
                .lists(KeyKind.PASSWORD, FIRST, Use.LINK, 12)
                .lists(KeyKind.PASSWORD, SECOND, Use.LINK, 1)
                .lists(KeyKind.PASSWORD, "21BD1" + "F".repeat(35), Use.LINK, 5);
        try (LiveService service = LiveService.over(sha1s().inForceWith(newer, "20260305T020000Z"))) {
            HttpResponse<String> answer = get(service, "/range/21BD1");
            assertEquals(
                    FIRST.substring(5) + ":12\r\n" + SECOND.substring(5) + ":2\r\n" + "F".repeat(35) + ":5",
                    answer.body());
        }
    }

    @Test
    void ntlmRange_needsAnNtlmList() {
        try (LiveService both = LiveService.over(withNtlm().inForce());
                LiveService one = LiveService.over(sha1s().inForce())) {
            assertEquals(
                    NTLM.substring(5) + ":99",
                    get(both, "/range/21BD1?mode=ntlm").body());
            assertEquals("", get(both, "/range/00000?mode=ntlm").body());
            assertEquals(503, get(one, "/range/21BD1?mode=ntlm").statusCode());
            assertEquals(400, get(both, "/range/21BD1?mode=md5").statusCode());
        }
    }

    @ParameterizedTest
    @CsvSource({"'', 35, 2", "?mode=ntlm, 27, 1"})
    void padding_hidesTheLength(String mode, int digits, int rows) {
        try (LiveService service = LiveService.over(withNtlm().inForce())) {
            HttpResponse<String> answer = get(service, "/range/21BD1" + mode, "Add-Padding", "true");
            List<String> lines = Arrays.asList(answer.body().split("\r\n", -1));
            assertTrue(lines.size() >= 800 && lines.size() <= 1000, "lines: " + lines.size());
            assertEquals(
                    rows, lines.stream().filter(line -> !line.endsWith(":0")).count());
            assertTrue(lines.stream().allMatch(line -> line.matches("[0-9A-F]{" + digits + "}:[0-9]+")));
            assertEquals(lines.size(), lines.stream().distinct().count());
            assertEquals("no-store", header(answer, "Cache-Control"));
            assertEquals("", header(answer, "ETag"));
            assertNotEquals(
                    answer.body(),
                    get(service, "/range/21BD1" + mode, "Add-Padding", "true").body());
        }
    }

    @Test
    void knownRange_isAnswered304() {
        try (LiveService service = LiveService.over(sha1s().inForce())) {
            String tag = header(get(service, "/range/21BD1"), "ETag");
            HttpResponse<String> answer = get(service, "/range/21BD1", "If-None-Match", "\"other\", W/" + tag);
            assertEquals(304, answer.statusCode());
            assertEquals("", answer.body());
            assertEquals(tag, header(answer, "ETag"));
            assertEquals("max-age=60", header(answer, "Cache-Control"));
            assertEquals("*", header(answer, "Access-Control-Allow-Origin"));
            assertEquals(304, get(service, "/range/21bd1", "If-None-Match", "*").statusCode());
            assertEquals(200, get(service, "/range/21BD2", "If-None-Match", tag).statusCode());
            HttpResponse<String> padded = get(service, "/range/21BD1", "If-None-Match", tag, "Add-Padding", "true");
            assertEquals(200, padded.statusCode());
            assertEquals(
                    200,
                    get(service, "/range/21BD1", "If-None-Match", "\"other\"").statusCode());
        }
    }

    @Test
    void invalidPrefix_isAnsweredAsByTheOriginal() {
        try (LiveService service = LiveService.over(sha1s().inForce())) {
            for (String prefix :
                    new String[] {"21BD", "21BD10", "21BDG", "%32%31BDx", "\u0661\u0661\u0661\u0661\u0661"}) {
                HttpResponse<String> answer = get(service, "/range/" + prefix);
                assertEquals(400, answer.statusCode(), prefix);
                assertEquals("The hash prefix was not in a valid format", answer.body());
                assertEquals("text/plain", header(answer, "Content-Type"));
                assertEquals("*", header(answer, "Access-Control-Allow-Origin"));
            }
        }
    }

    @Test
    void preflight_allowsEveryOrigin() {
        try (LiveService service = LiveService.over(sha1s().inForce())) {
            HttpResponse<String> answer = service.send(HttpRequest.newBuilder(service.uri("/range/21BD1"))
                    .method("OPTIONS", BodyPublishers.noBody())
                    .header("Access-Control-Request-Headers", "add-padding")
                    .build());
            assertEquals(204, answer.statusCode());
            assertEquals("*", header(answer, "Access-Control-Allow-Origin"));
            assertTrue(header(answer, "Access-Control-Allow-Headers")
                    .toLowerCase(Locale.ROOT)
                    .contains("add-padding"));
            assertEquals(405, service.post("/range/21BD1", "{}").statusCode());
        }
    }

    @Test
    void head_isTheAnswerWithoutItsBody() throws IOException {
        try (LiveService service = LiveService.over(sha1s().inForce())) {
            String answer = service.raw("HEAD /range/21BD1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
            assertTrue(answer.contains("Content-Length: 77\r\n"), answer);
            assertTrue(answer.endsWith("\r\n\r\n"), answer);
            String begun = service.raw("HEAD /range/21BD1 HTTP/1.1\r\nHost: localhost\r\n\r\nX\r\n\r\n");
            int head = begun.indexOf("\r\n\r\n") + 4 + "00000".length();
            assertTrue(head <= 256, "beyond what the server has room for beside the body: " + head);
        }
    }

    @Test
    void unreadableList_isAnswered503() {
        SmallLayer domains = new SmallLayer().lists(KeyKind.DOMAIN, "bad.example");
        LayerSource[] sources = {sha1s().fallSilent().inForce(), SmallLayer.none(), domains.inForce()};
        for (LayerSource source : sources) {
            try (LiveService service = LiveService.over(source)) {
                HttpResponse<String> answer = get(service, "/range/21BD1");
                assertEquals(503, answer.statusCode());
                assertEquals(Problem.MEDIA_TYPE, header(answer, "Content-Type"));
                assertFalse(answer.body().contains(FIRST.substring(5)));
                assertEquals("*", header(answer, "Access-Control-Allow-Origin"));
                assertEquals(
                        503, get(service, "/range/21BD1", "Add-Padding", "true").statusCode());
            }
        }
    }
}
