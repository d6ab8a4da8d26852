package org.bloomgate.server.api;

import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bloomgate.RecordCopy;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.server.http.HttpOptions;
import org.bloomgate.server.http.Operator;
import org.bloomgate.server.http.Role;
import org.bloomgate.server.http.Route;
import org.bloomgate.server.http.RouteGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Who may do what: every route with every role and every open group, on a loopback address and on another one.
@Timeout(60)
class RolesIT {
    private static final String ALL = "none client fleet reader quarantine admin";
    private static final String CHECKERS = "client fleet reader quarantine admin";
    private static final String READERS = "reader quarantine admin";

    /// Method, path, group that `http.open` may name, roles that may.
    private static final String TABLE = """
        GET    /                                 -          ALL
        GET    /page/{file}                      -          ALL
        GET    /openapi.json                     -          ALL
        GET    /problems/{name}                  -          ALL
        GET    /health/live                      -          ALL
        GET    /health/ready                     -          ALL
        POST   /v1/check                         check      CHECKERS
        POST   /v1/passwords                     passwords  CHECKERS
        GET    /range/{prefix}                   passwords  CHECKERS
        OPTIONS /range/{prefix}                  -          ALL
        POST   /v1/messages                      messages   CHECKERS
        GET    /metrics                          metrics    fleet READERS
        GET    /v1/status                        status     READERS
        GET    /v1/status/hours                  status     READERS
        GET    /v1/configuration                 -          READERS
        POST   /v1/lookup                        lookup     fleet admin
        GET    /v1/snapshots/announced           snapshots  fleet admin
        GET    /v1/snapshots/listings            snapshots  fleet admin
        GET    /v1/snapshots/{generation}/{+file} snapshots fleet admin
        GET    /v1/memory                        -          fleet READERS
        GET    /v1/memory/{origin}/{set}/{day}   -          fleet READERS
        POST   /v1/memory/seen                   -          fleet READERS
        POST   /v1/memory/join                   -          admin
        GET    /v1/decisions                     -          READERS
        GET    /v1/shadow                        -          READERS
        GET    /v1/seen/{name}                   -          READERS
        GET    /v1/explain                       -          READERS
        GET    /v1/feeds/report                  -          READERS
        GET    /v1/audit                         -          READERS
        GET    /v1/rebuilds                      -          READERS
        POST   /v1/rebuilds                      -          admin
        POST   /v1/rollback                      -          admin
        GET    /v1/exports/{name}                -          READERS
        GET    /v1/quarantine                    -          READERS
        GET    /v1/quarantine/{token}            -          quarantine admin
        GET    /v1/reports                       -          quarantine admin
        GET    /v1/reports/{id}                  -          quarantine admin
        POST   /v1/reports/{id}                  -          quarantine admin
        GET    /v1/quarantine/{token}/raw        -          quarantine admin
        POST   /v1/quarantine/{token}            -          quarantine admin
        DELETE /v1/quarantine/{token}            -          quarantine admin
        GET    /v1/listings                      -          READERS
        POST   /v1/listings                      -          admin
        POST   /v1/listings/preview              -          admin
        DELETE /v1/listings                      -          admin
        GET    /v1/exceptions                    -          READERS
        POST   /v1/exceptions                    -          admin
        DELETE /v1/exceptions                    -          admin
        """;

    private record Row(String method, String path, String group, Set<String> roles) {
        static Row of(String line) {
            String[] words = line.replace("ALL", ALL)
                    .replace("CHECKERS", CHECKERS)
                    .replace("READERS", READERS)
                    .split(" +", -1);
            return new Row(words[0], words[1], words[2], Set.of(Arrays.copyOfRange(words, 3, words.length)));
        }

        boolean may(String role, Set<String> open) {
            return roles.contains(role) || open.contains(group);
        }
    }

    private static final List<Row> ROWS = TABLE.lines().map(Row::of).toList();

    private static final Map<String, Operator> OPERATORS = Stream.of(Role.values())
            .filter(role -> role != Role.NONE)
            .collect(toMap(role -> "the-" + role.label(), role -> new Operator(role, token(role.label()), 0)));

    private static String token(String role) {
        return "the-token-of-role-" + role;
    }

    private static HttpOptions options(String listen, List<RouteGroup> open) {
        HttpOptions options = RecordCopy.with(LiveService.OPTIONS, "listen", ListenAddress.of(listen));
        return RecordCopy.with(RecordCopy.with(options, "operators", OPERATORS), "open", open);
    }

    private static LiveService service(HttpOptions options) {
        return new LiveService(
                new SmallLayer().lists(KeyKind.DOMAIN, "evil.example").inForce(), options);
    }

    @Test
    void table_hasEveryRoute() {
        Set<String> served = new TreeSet<>();
        try (LiveService service = service(LiveService.OPTIONS)) {
            for (Route route : service.routes()) {
                route.methods().stream()
                        .filter(method -> !method.equals("HEAD"))
                        .forEach(method -> served.add(method + " " + route.path()));
            }
        }
        Set<String> listed = new TreeSet<>();
        ROWS.forEach(row -> listed.add(row.method() + " " + row.path()));
        assertEquals(served, listed);
    }

    @Test
    void loopbackAddress_everyGroupIsOpen() {
        Set<String> all = new HashSet<>();
        ROWS.forEach(row -> all.add(row.group()));
        all.remove("-");
        try (LiveService service = service(options("127.0.0.1:0", List.of(RouteGroup.AUTO)))) {
            assertTable(service, all);
            service.use(options("0.0.0.0:0", List.of()));
            assertTable(service, Set.of());
        }
    }

    @Test
    void otherAddress_onlyNamedGroupsAreOpen() {
        try (LiveService service = service(options("0.0.0.0:0", List.of(RouteGroup.AUTO)))) {
            assertTable(service, Set.of());
            for (RouteGroup group : RouteGroup.values()) {
                service.use(options("127.0.0.1:0", List.of(group)));
                assertTable(service, Set.of(group.name().toLowerCase(Locale.ROOT)));
            }
        }
    }

    private static void assertTable(LiveService service, Set<String> open) {
        List<String> wrong = new ArrayList<>();
        for (Row row : ROWS) {
            for (String role : ALL.split(" ", -1)) {
                int status = status(service, row, role.equals("none") ? "" : token(role));
                int denied = role.equals("none") ? 401 : 403;
                boolean allowed = status != 401 && status != 403;
                if (row.may(role, open) ? !allowed : status != denied) {
                    wrong.add(role + " " + row.method() + " " + row.path() + " with open " + open + ": " + status);
                }
            }
            int unknown = status(service, row, "a-token-that-no-one-has");
            if (unknown == 401 ? row.group().equals("-") && row.may("none", open) : !row.may("none", Set.of())) {
                wrong.add("unknown token " + row + ": " + unknown);
            }
        }
        assertEquals(List.of(), wrong);
    }

    private static int status(LiveService service, Row row, String token) {
        String path = row.path()
                .replace("{prefix}", "00000")
                .replace("{file}", "main.js")
                .replace("{generation}/{+file}", "none/none")
                .replace("{origin}/{set}/{day}", "none/links/2026-01-08")
                .replace("{token}", "0123456789AB")
                .replace("{id}", "0123456789AB")
                .replace("{name}", "none");
        boolean post = row.method().equals("POST");
        HttpRequest.Builder request = HttpRequest.newBuilder(service.uri(path))
                .method(row.method(), post ? BodyPublishers.ofString("{}") : BodyPublishers.noBody());
        if (post) {
            request.header("Content-Type", path.equals("/v1/messages") ? "message/rfc822" : "application/json");
        }
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return service.send(request.build()).statusCode();
    }

    @Test
    void withoutTheRole_nothingIsSaidOfTheObject() {
        try (LiveService service = service(options("127.0.0.1:0", List.of()))) {
            service.keep("0123456789AB");
            HttpRequest.Builder there = get(service, "/v1/quarantine/0123456789AB", "reader");
            HttpRequest.Builder absent = get(service, "/v1/quarantine/BA9876543210", "reader");
            assertEquals(
                    service.send(there.build()).body(),
                    service.send(absent.build()).body());
        }
    }

    @Test
    void statusAndReadiness_showDetailsByRole() {
        try (LiveService service = service(options("0.0.0.0:0", List.of(RouteGroup.STATUS)))) {
            assertTrue(body(service, "/v1/status", "client").contains("\"role\":\"client\""));
            assertTrue(body(service, "/v1/status", "quarantine").contains("\"role\":\"quarantine\""));
            assertTrue(body(service, "/health/ready", "").contains(SmallLayer.GENERATION));
            service.use(options("0.0.0.0:0", List.of()));
            assertEquals("{\"status\":\"ready\"}", body(service, "/health/ready", ""));
            assertEquals("{\"status\":\"ready\"}", body(service, "/health/ready", "fleet"));
            assertTrue(body(service, "/health/ready", "reader").contains(SmallLayer.GENERATION));
        }
        try (LiveService empty = new LiveService(SmallLayer.none(), options("0.0.0.0:0", List.of()))) {
            assertFalse(body(empty, "/health/ready", "").contains("snapshot"));
            assertTrue(body(empty, "/health/ready", "reader").contains("no snapshot is in force"));
        }
    }

    @Test
    void forbidden_namesTheRolesThatMay() {
        try (LiveService service = service(options("127.0.0.1:0", List.of()))) {
            assertTrue(body(service, "/v1/decisions", "client").contains("roles that may: reader, quarantine, admin"));
            assertTrue(body(service, "/metrics", "").contains("one of the roles fleet, reader, quarantine, admin"));
        }
    }

    private static String body(LiveService service, String path, String role) {
        HttpResponse<String> answer = service.send(get(service, path, role).build());
        return answer.body();
    }

    private static HttpRequest.Builder get(LiveService service, String path, String role) {
        HttpRequest.Builder request = HttpRequest.newBuilder(service.uri(path));
        return role.isEmpty() ? request : request.header("Authorization", "Bearer " + token(role));
    }
}
