package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.local.EntryParser;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.local.EntryText.Field;
import org.bloomgate.lookup.local.EntryTexts;
import org.bloomgate.lookup.local.LiveEntries;
import org.bloomgate.lookup.local.LocalEntries;
import org.bloomgate.lookup.local.LocalFile;
import org.bloomgate.lookup.local.LocalOptions;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.lookup.tier.LayerSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `/v1/listings` and `/v1/exceptions`.
class LocalEntriesResourceIT {
    private static final LayerSource SNAPSHOTS =
            new SmallLayer().lists(KeyKind.DOMAIN, "evil.example").inForce();

    @TempDir
    private Path folder;

    private LiveEntries local() throws IOException {
        LocalFile file = new LocalFile(new LocalOptions(folder), LiveService.CLOCK);
        return new LiveEntries(SNAPSHOTS, file, LiveService.CLOCK);
    }

    private static HttpResponse<String> send(LiveService service, String method, String path, String body) {
        return service.send(LiveService.ADMIN, method, path, body);
    }

    private static HttpResponse<String> send(
            LiveService service, String method, String path, String body, String authorization) {
        return service.send(HttpRequest.newBuilder(service.uri(path))
                .header("Content-Type", "application/json")
                .header("Authorization", authorization)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build());
    }

    private static String verdict(LiveService service, String domain) {
        String item = "{\"items\":[{\"kind\":\"domain\",\"value\":\"" + domain + "\"}]}";
        return service.post("/v1/check", item).body().replaceAll(".*\"verdict\":\"([a-z]+)\".*", "$1");
    }

    @Test
    void listing_appliesFromItsAnswerUntilRemoved() throws Exception {
        try (LiveEntries local = local();
                LiveService service = new LiveService(local, LiveService.WITH_TOKENS)) {
            String listing = "{\"kind\":\"domain\",\"value\":\"NEW.example\",\"reason\":\"r\",\"expires\":\"7d\"}";
            HttpResponse<String> added = send(service, "POST", "/v1/listings", listing);
            String shown = "{\"entries\":[{\"type\":\"listing\",\"kind\":\"domain\",\"value\":\"new.example\","
                    + "\"match\":\"suffix\",\"category\":\"local\",\"reason\":\"r\",\"author\":\"admin\","
                    + "\"added\":\"2026-03-04T05:07:07Z\",\"expires\":\"2026-03-11T05:07:07Z\"}]}";
            assertEquals(200, added.statusCode());
            assertEquals(shown, added.body());
            assertEquals("listed", verdict(service, "www.new.example"));
            assertEquals(shown, send(service, "GET", "/v1/listings", "").body());
            String named = "/v1/listings?kind=domain&value=new.example";
            assertEquals(shown, send(service, "DELETE", named, "").body());
            assertEquals("clean", verdict(service, "www.new.example"));
            assertEquals(404, send(service, "DELETE", named, "").statusCode());
        }
    }

    @Test
    void publisherEntries_areListedWithTheirMark() throws Exception {
        try (LiveEntries local = local();
                LiveService service = new LiveService(local, LiveService.WITH_TOKENS)) {
            send(service, "POST", "/v1/listings", "{\"kind\":\"domain\",\"value\":\"both.example\"}");
            local.share(new LocalEntries(Stream.of("both.example", "there.example")
                    .map(LocalEntriesResourceIT::listed)
                    .toList()));
            String all = send(service, "GET", "/v1/listings", "").body();
            assertEquals(
                    List.of("overrules", "overruled", "publisher"),
                    Pattern.compile("\"mark\":\"([a-z]+)\"")
                            .matcher(all)
                            .results()
                            .map(mark -> mark.group(1))
                            .toList());
            assertTrue(all.indexOf("\"publisher\":[") < all.indexOf("there.example"), all);
            local.setPublished(local.entries());
            local.share(LocalEntries.NONE);
            all = send(service, "GET", "/v1/listings", "").body();
            assertTrue(all.contains("\"mark\":\"published\"") && !all.contains("\"publisher\":"), all);
        }
    }

    private static Entry listed(String domain) {
        try {
            return EntryParser.parse(
                    EntryTexts.of("domain", domain).with(Field.AUTHOR, "there"),
                    Entry.Type.LISTING,
                    LiveService.CLOCK.instant());
        } catch (EntryRefusedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void exception_overridesListingsInItsScope() throws Exception {
        try (LiveEntries local = local();
                LiveService service = new LiveService(local, LiveService.WITH_TOKENS)) {
            String of = "{\"kind\":\"domain\",\"value\":\"evil.example\",\"category\":\"";
            send(service, "POST", "/v1/exceptions", of + "malware\"}");
            assertEquals("listed", verdict(service, "evil.example"));
            send(service, "POST", "/v1/exceptions", of + "phishing\"}");
            assertEquals("clean", verdict(service, "evil.example"));
            String all = "/v1/exceptions?kind=domain&value=evil.example";
            String malware =
                    send(service, "DELETE", all + "&category=malware", "").body();
            assertTrue(malware.contains("malware") && !malware.contains("phishing"), malware);
            assertEquals("clean", verdict(service, "evil.example"));
            String rest = send(service, "DELETE", all, "").body();
            assertTrue(rest.contains("phishing"), rest);
            assertEquals("listed", verdict(service, "evil.example"));
        }
    }

    @Test
    void removal_takesNoBodyAndOnlyItsOwnParameters() throws Exception {
        try (LiveEntries local = local();
                LiveService service = new LiveService(local, LiveService.WITH_TOKENS)) {
            String entry = "{\"kind\":\"domain\",\"value\":\"new.example\"}";
            send(service, "POST", "/v1/listings", entry);
            HttpResponse<String> body = send(service, "DELETE", "/v1/listings?kind=domain&value=new.example", entry);
            assertEquals(400, body.statusCode());
            assertTrue(body.body().contains("/problems/invalid-body"), body.body());
            for (String query : List.of(
                    "", "?kind=domain", "?kind=domain&value=new.example&force=true", "?kind=domain&value=co.uk")) {
                HttpResponse<String> answer = send(service, "DELETE", "/v1/listings" + query, "");
                assertEquals(400, answer.statusCode(), query);
                assertTrue(answer.body().contains("/problems/invalid-value"), answer.body());
            }
            assertEquals(
                    400,
                    send(service, "GET", "/v1/listings?value=new.example", "").statusCode());
            assertEquals(
                    400,
                    send(service, "POST", "/v1/exceptions?force=true", entry).statusCode());
            assertEquals("listed", verdict(service, "new.example"));
        }
    }

    @Test
    void listingOfSharedDomain_isAConflictUnlessForced() throws Exception {
        try (LiveEntries local = local();
                LiveService service = new LiveService(local, LiveService.WITH_TOKENS)) {
            String listing = "{\"kind\":\"domain\",\"value\":\"shared.example\"}";
            for (String path : List.of("/v1/listings", "/v1/listings?force=false")) {
                HttpResponse<String> refused = send(service, "POST", path, listing);
                assertEquals(409, refused.statusCode());
                assertTrue(
                        refused.body()
                                .contains("would list strangers; it would have stopped 3 of 7 messages delivered in the"
                                        + " last 7 days: 0123456789AB; from 5 on it must be confirmed\"}"),
                        refused.body());
            }
            assertEquals("clean", verdict(service, "shared.example"));
            assertEquals(
                    400,
                    send(service, "POST", "/v1/listings?force=yes", listing).statusCode());
            assertEquals(
                    200,
                    send(service, "POST", "/v1/listings?force=true", listing).statusCode());
            assertEquals("listed", verdict(service, "shared.example"));
        }
    }

    /// A preview says what the listing would be told, and changes nothing.
    @Test
    void preview_showsScopeMailAndThreshold() throws Exception {
        try (LiveEntries local = local();
                LiveService service = new LiveService(local, LiveService.WITH_TOKENS)) {
            for (String value : List.of("new.example", "shared.example", "much.example")) {
                String listing = "{\"kind\":\"domain\",\"value\":\"" + value.toUpperCase(Locale.ROOT) + "\"}";
                HttpResponse<String> answer = send(service, "POST", "/v1/listings/preview", listing);
                assertEquals(200, answer.statusCode(), answer.body());
                JsonNode preview = LiveService.json(answer);
                assertEquals(
                        "domain " + value
                                + " and everything below it, wherever a message contains it, for all recipients, without end",
                        preview.get("scope").asText());
                assertEquals(value, preview.at("/listing/value").asText());
                assertEquals(5, preview.at("/mail/confirmFrom").asInt());
                assertTrue(preview.get("effect").asText().endsWith("from 5 on it must be confirmed"));
                int added = send(service, "POST", "/v1/listings", listing).statusCode();
                assertEquals(preview.get("objections").isEmpty() ? 200 : 409, added, value);
                assertEquals(preview.get("objections").isEmpty(), value.equals("new.example"));
            }
            assertEquals(
                    400,
                    send(service, "POST", "/v1/listings/preview", "{\"kind\":\"x\"}")
                            .statusCode());
        }
    }

    @Test
    void exceptionOfUnknownFeed_isRejected() throws Exception {
        try (LiveEntries local = local();
                LiveService service = new LiveService(local, LiveService.WITH_TOKENS)) {
            String of = "{\"kind\":\"domain\",\"value\":\"evil.example\",\"feed\":\"";
            HttpResponse<String> refused = send(service, "POST", "/v1/exceptions", of + "other\"}");
            assertEquals(400, refused.statusCode());
            assertTrue(refused.body().contains("there is no such feed; there are test"), refused.body());
            assertEquals(
                    200, send(service, "POST", "/v1/exceptions", of + "test\"}").statusCode());
        }
    }

    @Test
    void change_needsTheConfiguredToken() throws Exception {
        try (LiveEntries local = local();
                LiveService service = new LiveService(local, LiveService.WITH_TOKENS);
                LiveService off = new LiveService(local, LiveService.OPTIONS)) {
            String listing = "{\"kind\":\"domain\",\"value\":\"new.example\"}";
            for (String given : List.of(
                    "Bearer",
                    "Bearer ",
                    "Bearer wrong",
                    "Basic " + LiveService.ADMIN,
                    LiveService.ADMIN,
                    LiveService.ADMIN + "x")) {
                for (String path : List.of("/v1/listings", "/v1/exceptions")) {
                    HttpResponse<String> answer = send(service, "POST", path, listing, given);
                    assertEquals(401, answer.statusCode(), given);
                    assertEquals(
                            "application/problem+json",
                            answer.headers().firstValue("Content-Type").orElse(""));
                    assertEquals(401, send(service, "GET", path, "", given).statusCode());
                    assertEquals(
                            401, send(service, "DELETE", path, listing, given).statusCode());
                }
            }
            assertEquals(401, service.get("/v1/listings").statusCode());
            HttpResponse<String> refused = send(off, "POST", "/v1/listings", listing, "Bearer ");
            assertEquals(401, refused.statusCode());
            assertTrue(refused.body().contains("set http.adminToken"), refused.body());
            assertEquals(0, local.entries().size());
        }
    }

    @Test
    void invalidEntry_isAProblemAndChangesNothing() throws Exception {
        try (LiveEntries local = local();
                LiveService service = new LiveService(local, LiveService.WITH_TOKENS)) {
            for (String body : List.of(
                    "{}",
                    "[]",
                    "null",
                    "{\"kind\":\"domain\"}",
                    "{\"kind\":\"domain\",\"value\":null}",
                    "{\"kind\":\"domain\",\"value\":7}",
                    "{\"kind\":\"domain\",\"value\":\"x.example\",\"feed\":\"of no listing\"}",
                    "{\"kind\":\"colour\",\"value\":\"red\"}",
                    "{\"kind\":\"domain\",\"value\":\"co.uk\"}",
                    "{\"kind\":\"domain\",\"value\":\"x.example\",\"match\":\"regex\"}",
                    "{\"kind\":\"domain\",\"value\":\"x.example\",\"expires\":\"2020-01-01\"}",
                    "{\"kind\":\"domain\",\"value\":\"x.example\",\"reason\":\"two\\nlines\"}")) {
                HttpResponse<String> answer = send(service, "POST", "/v1/listings", body);
                assertEquals(400, answer.statusCode(), body);
            }
            assertEquals(
                    413,
                    send(service, "POST", "/v1/listings", " ".repeat(65 * 1024)).statusCode());
            assertEquals(405, send(service, "PUT", "/v1/listings", "{}").statusCode());
            assertEquals(0, local.entries().size());
        }
    }

    @Test
    void unwritableFile_isNamedInTheLogOnly() throws Exception {
        try (LiveEntries local = local();
                LiveService service = new LiveService(local, LiveService.WITH_TOKENS)) {
            Files.writeString(folder.resolve("entries.jsonl"), "not ours\n");
            HttpResponse<String> answer =
                    send(service, "POST", "/v1/listings", "{\"kind\":\"domain\",\"value\":\"new.example\"}");
            assertEquals(503, answer.statusCode());
            assertTrue(service.log().contains("not a file of local entries"), service.log());
            assertTrue(!answer.body().contains(folder.toString()), answer.body());
        }
    }
}
