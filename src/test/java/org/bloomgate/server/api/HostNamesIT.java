package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.bloomgate.RecordCopy;
import org.bloomgate.server.http.HostField;
import org.junit.jupiter.api.Test;

/// The `Host` field of requests to a loopback address, where a page of another site may be behind a name (DNS
/// rebinding).
class HostNamesIT {
    private static final List<String> THIS_MACHINE =
            List.of("localhost", "LocalHost", "127.0.0.1", "127.9.8.7", "[::1]", "[0:0:0:0:0:0:0:1]", "gate.example");
    private static final List<String> PORTS = List.of("", ":80", ":8080");
    private static final List<String> OTHERS = List.of(
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "evil.localhost",
            "127.1",
            "2130706433",
            "0.0.0.0",
            "192.0.2.1",
            "10.0.0.1",
            "[::2]",
            "[fe80::1]",
            "notlocalhost",
            "gate.example.evil.example",
            "xgate.example",
            "0x7f.0.0.1",
            "127.0.0.1x");

    /// Names with letters outside ASCII: browsers send their ASCII form, whatever the configuration has.
    private static final Map<String, String> INTERNATIONAL = Map.of(
            "g\u00e4teway.example", "xn--gteway-bua.example",
            "MX.B\u00dcCHER.example", "mx.xn--bcher-kva.example",
            "\u4f8b\u3048.example", "xn--r8jz45g.example",
            "XN--BCHER-KVA.example", "xn--bcher-kva.example",
            "b\u00fccher\u3002example", "xn--bcher-kva.example");

    @Test
    void internationalName_isComparedInAscii() throws IOException {
        for (Map.Entry<String, String> name : INTERNATIONAL.entrySet()) {
            try (LiveService service = new LiveService(
                    SmallLayer.none(),
                    RecordCopy.with(LiveService.WITH_TOKENS, "hosts", List.of(HostField.of(name.getKey()))))) {
                for (String host : List.of(name.getValue(), name.getValue().toUpperCase(Locale.ROOT) + ":8080")) {
                    assertEquals("200", status(service, "/v1/status", host, ""), name.getKey() + " " + host);
                }
                assertEquals("421", status(service, "/v1/status", "xn--other-kva.example", ""), name.getKey());
            }
        }
    }

    private static LiveService service() {
        return new LiveService(
                SmallLayer.none(),
                RecordCopy.with(LiveService.WITH_TOKENS, "hosts", List.of(HostField.of("gate.example"))));
    }

    private static String status(LiveService service, String path, String host, String field) throws IOException {
        String request = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + field + "Connection: close\r\n\r\n";
        return service.raw(request).substring(9, 12);
    }

    @Test
    void hostOfAnotherSite_isRefusedWithoutToken() throws IOException {
        Map<String, String> expected = new TreeMap<>();
        Map<String, String> answers = new TreeMap<>();
        try (LiveService service = service()) {
            for (String path : List.of("/", "/v1/status", "/metrics", "/health/live")) {
                for (String port : PORTS) {
                    for (String host : hosts()) {
                        boolean known = THIS_MACHINE.contains(host) || path.startsWith("/health/");
                        expected.put(path + " " + host + port, known ? "200" : "421");
                        answers.put(path + " " + host + port, status(service, path, host + port, ""));
                    }
                }
            }
        }
        assertEquals(expected, answers);
    }

    private static List<String> hosts() {
        List<String> all = new ArrayList<>(THIS_MACHINE);
        all.addAll(OTHERS);
        return all;
    }

    @Test
    void withoutHostsSetting_onlyThisMachineIsKnown() throws IOException {
        try (LiveService service = LiveService.over(SmallLayer.none())) {
            for (String host : OTHERS) {
                assertEquals("421", status(service, "/v1/status", host, ""), host);
            }
            for (String host : List.of("localhost", "127.0.0.1:1", "[::1]:65535")) {
                assertEquals("200", status(service, "/v1/status", host, ""), host);
            }
        }
    }

    /// No browser sends HTTP/1.0, and a preflight reveals nothing.
    @Test
    void olderRequestAndPreflight_mayHaveAnyName() throws IOException {
        try (LiveService service = service();
                LiveService open = LiveService.over(SmallLayer.none())) {
            for (String host : hosts()) {
                for (LiveService each : List.of(service, open)) {
                    String older = each.raw("GET /metrics HTTP/1.0\r\nHost: " + host + "\r\n\r\n");
                    assertEquals("200", older.substring(9, 12), host);
                    String preflight = each.raw("OPTIONS /range/ABCDE HTTP/1.1\r\nHost: " + host
                            + "\r\nOrigin: https://a.example\r\nConnection: close\r\n\r\n");
                    assertEquals("204", preflight.substring(9, 12), host);
                }
            }
        }
    }

    @Test
    void wrongToken_doesNotMakeANameKnown() throws IOException {
        try (LiveService service = service()) {
            String wrong = "Authorization: Bearer x" + LiveService.ADMIN + "\r\n";
            assertEquals("421", status(service, "/v1/status", "evil.example", wrong));
        }
    }

    @Test
    void everyRoute_isBehindTheRule() throws IOException {
        try (LiveService service = LiveService.over(SmallLayer.none())) {
            Stream<String> paths =
                    service.routes().stream().map(route -> route.path().replaceAll("\\{[^}]*}", "x"));
            for (String path : paths.filter(one -> !one.startsWith("/health/")).toList()) {
                assertEquals("421", status(service, path, "evil.example", ""), path);
            }
        }
    }
}
