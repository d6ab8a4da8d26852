package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.bloomgate.RecordCopy;
import org.bloomgate.base.audit.AuditEvent;
import org.bloomgate.base.audit.AuditLog;
import org.bloomgate.base.audit.AuditQuery;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.Decision.RecordedFinding;
import org.bloomgate.decision.memory.HistoryFacts;
import org.bloomgate.decision.memory.NewLink;
import org.bloomgate.lookup.local.LiveEntries;
import org.bloomgate.lookup.local.LocalFile;
import org.bloomgate.lookup.local.LocalOptions;
import org.bloomgate.server.http.FileStreams;
import org.bloomgate.server.http.HttpOptions;
import org.bloomgate.server.http.Operator;
import org.bloomgate.server.http.Role;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The quarantine without a shell, and a false positive in one step.
class QuarantineResourceIT {
    private static final String ADA = "the-token-of-ada";
    private static final String BOB = "the-token-of-bob";
    private static final String TOKEN = "0123456789AB";
    private static final String ONE = "/v1/quarantine/" + TOKEN;
    private static final HttpOptions OPTIONS = RecordCopy.with(
            LiveService.WITH_TOKENS,
            "operators",
            Map.of(
                    "ada", new Operator(Role.ADMIN, "sha256:" + Sha256.hex(ADA.getBytes(StandardCharsets.US_ASCII)), 0),
                    "bob", new Operator(Role.QUARANTINE, BOB, 0),
                    "eve", new Operator(Role.READER, LiveService.READER, 0)));

    @TempDir
    private Path folder;

    private Optional<LiveEntries> local = Optional.empty();
    private Optional<LiveService> started = Optional.empty();

    @BeforeEach
    void start() throws IOException {
        LocalFile file = new LocalFile(new LocalOptions(folder.resolve("local")), LiveService.CLOCK);
        local = Optional.of(new LiveEntries(SmallLayer.none(), file, LiveService.CLOCK));
        started = Optional.of(new LiveService(local.get(), OPTIONS));
        service().keep(TOKEN);
    }

    @AfterEach
    void stop() {
        started.ifPresent(LiveService::close);
        local.ifPresent(LiveEntries::close);
    }

    private LiveService service() {
        return started.orElseThrow();
    }

    private HttpResponse<String> ask(String method, String path, String token, String body) {
        return service().send(token, method, path, body);
    }

    private static Decision decided() {
        return decided(Optional.empty());
    }

    private static Decision decided(Optional<HistoryFacts> history) {
        return new Decision(
                Instant.EPOCH,
                TOKEN,
                new Decision.Connection("192.0.2.7", "mail.example", ""),
                new Decision.Envelope(
                        "a@sender.example", List.of("b@rcpt.example", "c@rcpt.example", "d@other.example"), List.of()),
                new Decision.Content(
                        new Decision.Heading("", "", ""),
                        1,
                        new Decision.Lookup(
                                1,
                                1,
                                List.of(
                                        new RecordedFinding(
                                                "domain",
                                                "b.example",
                                                "text",
                                                "listed",
                                                "b.example",
                                                "",
                                                "x",
                                                "spam",
                                                Optional.empty(),
                                                ""),
                                        new RecordedFinding(
                                                "url",
                                                "http://www.evil.example/",
                                                "link",
                                                "listed",
                                                "evil.example",
                                                "domain",
                                                "sample",
                                                "phishing",
                                                Optional.empty(),
                                                "")),
                                List.of(),
                                List.of()),
                        List.of(),
                        history),
                new Decision.Outcome(
                        "listed",
                        "quarantine",
                        "quarantine",
                        "sample",
                        "phishing",
                        "http://www.evil.example/",
                        Map.of()),
                new Decision.Processing("250 ok", "", "", "", Map.of(), Optional.empty()));
    }

    @Test
    void list_showsEachMessageToReaders() throws IOException {
        JsonNode kept = LiveService.json(ask("GET", "/v1/quarantine", LiveService.READER, ""));
        assertEquals(1, kept.get("total").asInt());
        assertEquals(1, kept.get("matching").asInt());
        JsonNode message = kept.at("/messages/0");
        assertEquals("A <a@sender.example>", message.get("from").asText());
        assertEquals("Hello", message.get("subject").asText());
        assertEquals("evil.example", message.get("value").asText());
        assertEquals("sample", message.get("feed").asText());
        assertFalse(kept.toString().contains("See http"));
        assertEquals(401, service().get("/v1/quarantine").statusCode());
    }

    @Test
    void reader_opensReleasesAndDeletesNothing() throws IOException {
        for (String method : List.of("GET", "POST", "DELETE")) {
            assertEquals(
                    403,
                    ask(method, ONE, LiveService.READER, method.equals("POST") ? "{}" : "")
                            .statusCode());
        }
        assertEquals(
                1,
                LiveService.json(ask("GET", "/v1/quarantine", LiveService.READER, ""))
                        .get("total")
                        .asInt());
    }

    @Test
    void openedMessage_isDefangedText() throws IOException {
        JsonNode opened = LiveService.json(ask("GET", ONE, LiveService.ADMIN, ""));
        String text = opened.get("text").asText();
        assertTrue(text.contains("See hxxp://evil[.]example/"), text);
        assertFalse(text.contains("\u001b"));
        assertTrue(opened.get("complete").asBoolean());
        assertFalse(opened.has("history"));
    }

    @Test
    void openedMessage_hasTheHistoryOfItsDecision() throws IOException {
        NewLink link = new NewLink("new.example", Instant.EPOCH, 2, 1);
        service().journal.record(decided(Optional.of(new HistoryFacts(Optional.of(link), 1, Optional.empty()))));

        JsonNode opened = LiveService.json(ask("GET", ONE, LiveService.ADMIN, ""));

        assertEquals("new.example", opened.at("/history/link/domain").asText());
        assertEquals(2, opened.at("/history/link/messages").asInt());
    }

    @Test
    void rawMessage_isAFileAndAudited() throws IOException {
        HttpResponse<String> raw = ask("GET", ONE + "/raw", LiveService.ADMIN, "");
        assertEquals(200, raw.statusCode());
        assertEquals("message/rfc822", raw.headers().firstValue("Content-Type").orElse(""));
        assertEquals(
                "attachment; filename=\"" + TOKEN + ".eml\"",
                raw.headers().firstValue("Content-Disposition").orElse(""));
        assertEquals(
                "nosniff", raw.headers().firstValue("X-Content-Type-Options").orElse(""));
        assertTrue(raw.body().startsWith("From: A"), raw.body());
        JsonNode event = LiveService.json(ask("GET", "/v1/audit", LiveService.READER, ""))
                .at("/events/0");
        assertEquals("quarantine-download", event.get("what").asText());
        assertEquals(
                404,
                ask("GET", "/v1/quarantine/..%2Fx/raw", LiveService.ADMIN, "").statusCode());
    }

    @Test
    void downloads_areFreeAgainAfterEachAnswer() {
        for (int i = 0; i <= FileStreams.MAX_STREAMS; i++) {
            assertEquals(200, ask("GET", ONE + "/raw", LiveService.ADMIN, "").statusCode());
        }
    }

    @Test
    void releaseToAnotherAddress_leavesTheMessage() throws IOException {
        JsonNode released = LiveService.json(ask("POST", ONE, LiveService.ADMIN, "{\"to\":\"kim@dest.example\"}"));
        assertEquals("kim@dest.example", released.at("/outcomes/0/recipient").asText());
        assertEquals(1, service().released().size());
        for (String wrong : List.of("{\"to\":\"<kim>\"}", "{\"to\":\"kim@dest.example\",\"except\":true}")) {
            assertEquals(400, ask("POST", ONE, LiveService.ADMIN, wrong).statusCode(), wrong);
        }
        assertEquals(1, service().released().size());
        assertEquals(200, ask("GET", ONE, LiveService.ADMIN, "").statusCode());
    }

    private String inQuarantine() throws IOException {
        return LiveService.json(ask("GET", "/v1/decisions?token=" + TOKEN, BOB, ""))
                .get("inQuarantine")
                .toString();
    }

    /// A copy for another address leaves the message; a release or a deletion does not.
    @Test
    void decision_namesWhatCanBeReleased() throws IOException {
        service().journal.record(decided());
        assertEquals("[\"" + TOKEN + "\"]", inQuarantine());
        ask("POST", ONE, LiveService.ADMIN, "{\"to\":\"kim@dest.example\"}");
        assertEquals("[\"" + TOKEN + "\"]", inQuarantine());
        ask("POST", ONE, LiveService.ADMIN, "{}");
        assertEquals("[]", inQuarantine());
        service().keep(TOKEN);
        assertEquals("[\"" + TOKEN + "\"]", inQuarantine());
        ask("DELETE", ONE, LiveService.ADMIN, "");
        assertEquals("[]", inQuarantine());
    }

    @Test
    void releaseToAnotherAddress_isAuditedWithIt() throws IOException {
        ask("POST", ONE, BOB, "{\"to\":\"kim@dest.example\"}");
        JsonNode event = LiveService.json(ask("GET", "/v1/audit?what=quarantine-release", LiveService.READER, ""))
                .at("/events/0");
        assertEquals("kim@dest.example", event.at("/detail/to").asText());
        assertEquals("b@rcpt.example", event.at("/detail/recipients").asText().substring(0, 14));
    }

    @Test
    void releasesAtTheSameTime_areMadeInTurn() throws IOException {
        List<String> tokens = List.of("AAAAAAAAAAA1", "AAAAAAAAAAA2", "AAAAAAAAAAA3", "AAAAAAAAAAA4");
        tokens.forEach(service()::keep);
        List<CompletableFuture<HttpResponse<String>>> answers = tokens.stream()
                .map(token -> CompletableFuture.supplyAsync(
                        () -> ask("POST", "/v1/quarantine/" + token, LiveService.ADMIN, "{}")))
                .toList();
        assertEquals(
                List.of(200, 200, 200, 200),
                answers.stream().map(answer -> answer.join().statusCode()).toList());
        assertEquals(4, service().released().size());
    }

    @Test
    void filters_selectByEnvelope() throws IOException {
        for (String matching : List.of(
                "sender=sender.example",
                "sender=A@sender.example",
                "recipient=rcpt.example",
                "feed=SAMPLE",
                "since=1h")) {
            JsonNode kept = LiveService.json(ask("GET", "/v1/quarantine?" + matching, LiveService.READER, ""));
            assertEquals(1, kept.get("matching").asInt(), matching);
        }
        for (String other : List.of("sender=%3C%3E", "recipient=other.example", "feed=other", "before=1h")) {
            JsonNode kept = LiveService.json(ask("GET", "/v1/quarantine?" + other, LiveService.READER, ""));
            assertEquals(0, kept.get("matching").asInt(), other);
            assertEquals(1, kept.get("total").asInt(), other);
        }
        assertEquals(
                400,
                ask("GET", "/v1/quarantine?since=soon", LiveService.READER, "").statusCode());
    }

    @Test
    void release_deliversOnce() throws IOException {
        JsonNode released = LiveService.json(ask("POST", ONE, LiveService.ADMIN, "{\"author\":\"kim\"}"));
        assertTrue(released.at("/outcomes/0/delivered").asBoolean());
        assertEquals(1, service().released().size());
        assertTrue(Files.readString(service().released().getFirst()).contains("Subject: Hello"));
        assertEquals(404, ask("POST", ONE, LiveService.ADMIN, "{}").statusCode());
    }

    @Test
    void releaseWithExcept_addsExceptions() throws IOException {
        service().journal.record(decided());
        JsonNode released = LiveService.json(
                ask("POST", ONE, LiveService.ADMIN, "{\"except\":true,\"expires\":\"30d\",\"author\":\"kim\"}"));
        assertEquals(2, released.get("exceptions").size());
        assertEquals(1, service().released().size());
        assertException(
                LiveService.json(ask("GET", "/v1/exceptions", LiveService.READER, ""))
                        .at("/entries/0"),
                "rcpt.example");
    }

    @Test
    void exceptionByToken_coversItsFindings() throws IOException {
        service().journal.record(decided());
        String body = "{\"token\":\"" + TOKEN + "\",\"expires\":\"30d\",\"author\":\"kim\"}";
        JsonNode made = LiveService.json(ask("POST", "/v1/exceptions", LiveService.ADMIN, body));
        assertEquals(2, made.get("entries").size());
        assertException(made.at("/entries/0"), "rcpt.example");
        assertException(made.at("/entries/1"), "other.example");
        assertEquals(
                400,
                ask("POST", "/v1/exceptions", LiveService.ADMIN, body.replace(TOKEN, "ZZZZZZZZZZZZ"))
                        .statusCode());
    }

    private static void assertException(JsonNode entry, String recipientDomain) {
        assertEquals("domain", entry.get("kind").asText());
        assertEquals("evil.example", entry.get("value").asText());
        assertEquals("sample", entry.get("feed").asText());
        assertEquals(recipientDomain, entry.get("recipientDomain").asText());
        assertEquals("kim", entry.get("author").asText());
        assertEquals("false positive, mail " + TOKEN, entry.get("reason").asText());
        assertTrue(entry.has("expires"));
        assertEquals(TOKEN, entry.get("error").asText(), "a confirmed error of the feed");
    }

    @Test
    void exceptWithoutDecision_releasesNothing() throws IOException {
        assertEquals(
                409, ask("POST", ONE, LiveService.ADMIN, "{\"except\":true}").statusCode());
        assertEquals(List.of(), service().released());
    }

    @Test
    void auditLog_namesTheOperatorOfEachStep() throws IOException {
        ask("GET", ONE, ADA, "");
        ask("POST", ONE, BOB, "{}");
        service().keep(TOKEN);
        ask("DELETE", ONE, LiveService.ADMIN, "");
        assertEquals(401, ask("GET", ONE, BOB + "x", "").statusCode());

        JsonNode events = LiveService.json(ask("GET", "/v1/audit?value=" + TOKEN, LiveService.READER, ""))
                .get("events");

        assertEquals(
                List.of("admin quarantine-delete", "bob quarantine-release", "ada quarantine-show"),
                events.valueStream()
                        .map(event -> event.get("who").asText() + " "
                                + event.get("what").asText())
                        .toList());
        assertEquals("http", events.at("/0/way").asText());
        assertEquals("127.0.0.1", events.at("/0/from").asText());
        assertEquals("a@sender.example", events.at("/0/detail/mailFrom").asText());
        assertEquals(401, service().get("/v1/audit").statusCode());
        assertEquals(
                1,
                LiveService.json(ask("GET", "/v1/audit?who=ADA&limit=9", LiveService.READER, ""))
                        .get("events")
                        .size());
    }

    @Test
    void author_isTheOperatorOfTheToken() throws IOException {
        String body = "{\"kind\":\"domain\",\"value\":\"good.example\"}";
        assertEquals(
                "ada",
                LiveService.json(ask("POST", "/v1/exceptions", ADA, body))
                        .at("/entries/0/author")
                        .asText());
        AuditEvent event = new AuditLog(folder.resolve("local"))
                .find(new AuditQuery("ada", "exception-add", "good.example", Instant.EPOCH, 2))
                .events()
                .getFirst();
        assertEquals("domain", event.detail().get("kind"));
    }

    @Test
    void unwritableAuditLog_preventsTheAction() throws IOException {
        Files.createDirectories(service().folder.resolve("local/audit.jsonl"));
        assertEquals(503, ask("POST", ONE, LiveService.ADMIN, "{}").statusCode());
        assertEquals(List.of(), service().released());
        assertEquals(503, ask("DELETE", ONE, LiveService.ADMIN, "").statusCode());
        assertEquals(
                1,
                LiveService.json(ask("GET", "/v1/quarantine", LiveService.READER, ""))
                        .get("total")
                        .asInt());
    }

    @Test
    void deletedMessage_isGone() throws IOException {
        assertEquals(
                TOKEN,
                LiveService.json(ask("DELETE", ONE, LiveService.ADMIN, ""))
                        .get("token")
                        .asText());
        assertEquals(404, ask("GET", ONE, LiveService.ADMIN, "").statusCode());
    }
}
