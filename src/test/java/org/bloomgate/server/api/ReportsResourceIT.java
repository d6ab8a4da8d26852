package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.bloomgate.RecordCopy;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.local.LiveEntries;
import org.bloomgate.lookup.local.LocalFile;
import org.bloomgate.lookup.local.LocalOptions;
import org.bloomgate.server.http.HttpOptions;
import org.bloomgate.server.http.Operator;
import org.bloomgate.server.http.Role;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `/v1/reports`: what each role may decide.
class ReportsResourceIT {
    private static final String READER_OF_MAIL = "the-token-of-the-quarantine";
    private static final HttpOptions OPTIONS = RecordCopy.with(
            LiveService.WITH_TOKENS, "operators", Map.of("ola", new Operator(Role.QUARANTINE, READER_OF_MAIL, 0)));

    @TempDir
    private Path folder;

    private LiveEntries local;
    private LiveService service;
    private String path;

    @BeforeEach
    void start() throws Exception {
        LocalFile file = new LocalFile(new LocalOptions(folder), LiveService.CLOCK);
        local = new LiveEntries(
                new SmallLayer().lists(KeyKind.DOMAIN, "evil.example").inForce(), file, LiveService.CLOCK);
        service = new LiveService(local, OPTIONS);
        path = "/v1/reports/" + service.report();
    }

    @AfterEach
    void stop() {
        service.close();
        local.close();
    }

    private HttpResponse<String> send(String token, String method, String target, String body) {
        return service.send(HttpRequest.newBuilder(service.uri(target))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + token)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build());
    }

    private int decide(String token, String body) {
        return send(token, "POST", path, body).statusCode();
    }

    private JsonNode shown() throws Exception {
        return new JsonMapper().readTree(send(READER_OF_MAIL, "GET", path, "").body());
    }

    private String state() throws Exception {
        return shown().at("/report/outcome/state").asText();
    }

    @Test
    void report_showsWhatAListingWouldDo() throws Exception {
        assertEquals(
                "phish.example",
                shown().at("/identifiers/0/preview/listing/value").asText());
        assertEquals(0, shown().at("/identifiers/0/preview/objections").size());
        assertEquals(3, shown().at("/identifiers/0/preview/mail/stopped").asInt());
        assertEquals("clean", shown().at("/identifiers/0/check/verdict").asText());
        assertEquals(
                "of a domain of the site or the reporter",
                shown().at("/identifiers/1/preview/objections/0").asText());
        assertTrue(
                send(READER_OF_MAIL, "GET", "/v1/reports?state=open", "").body().contains("invoice"));
        assertEquals(
                "{\"reports\":[]}",
                send(READER_OF_MAIL, "GET", "/v1/reports?state=later", "").body());
    }

    @Test
    void roleQuarantine_decidesHarmlessAndLaterOnly() throws Exception {
        assertEquals(200, decide(READER_OF_MAIL, "{\"state\":\"later\"}"));
        assertEquals("later", state());
        assertEquals(200, decide(READER_OF_MAIL, "{\"state\":\"harmless\"}"));
        assertEquals("harmless", state());
        String listing = "{\"state\":\"listed\",\"kind\":\"domain\",\"value\":\"phish.example\"}";
        assertEquals(403, decide(READER_OF_MAIL, listing));
        assertEquals("harmless", state());
        assertEquals(0, local.entries().size());
    }

    @Test
    void roleAdmin_listsANamedIdentifier() throws Exception {
        String listing = "{\"state\":\"listed\",\"kind\":\"domain\",\"value\":\"phish.example\",\"expires\":\"7d\"}";
        assertEquals(200, decide(LiveService.ADMIN, listing));
        assertEquals("listed", state());
        assertEquals("phish.example", local.entries().all().getFirst().key().text());
        assertTrue(send(LiveService.ADMIN, "GET", "/v1/audit", "").body().contains("report-decide"));
    }

    @Test
    void greyedIdentifier_needsForce() throws Exception {
        String listing = "{\"state\":\"listed\",\"kind\":\"domain\",\"value\":\"www.dest.example\"";
        assertEquals(409, decide(LiveService.ADMIN, listing + "}"));
        assertEquals("open", state());
        assertEquals(200, decide(LiveService.ADMIN, listing + ",\"force\":true}"));
    }

    @Test
    void unnamedIdentifier_isRejected() throws Exception {
        assertEquals(
                400,
                decide(LiveService.ADMIN, "{\"state\":\"listed\",\"kind\":\"domain\",\"value\":\"other.example\"}"));
        assertEquals(400, decide(LiveService.ADMIN, "{\"state\":\"listed\"}"));
        assertEquals(400, decide(LiveService.ADMIN, "{\"state\":\"open\"}"));
        assertEquals("open", state());
        assertEquals(
                404,
                send(LiveService.ADMIN, "GET", "/v1/reports/0123456789AB", "").statusCode());
    }
}
