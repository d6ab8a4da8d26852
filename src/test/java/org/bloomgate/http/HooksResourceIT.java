package org.bloomgate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import org.bloomgate.hook.HookMessage;
import org.bloomgate.hook.HookReader;
import org.bloomgate.key.KeyKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The profile of a bridge that registers, asks at the end of data, and does nothing that it does not know;
/// and the older form.
class HooksResourceIT {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String LISTED = "Subject: hello\r\n\r\nhttp://evil.example/\r\n";
    private static final String CLEAN = "Subject: hello\r\n\r\nhttp://fine.example/\r\n";
    private static final String REGISTRATION =
            "{\"name\":\"mx\",\"version\":\"1\",\"timeoutMs\":20000,\"serialization\":\"json\",\"inbound\":{\"stages\":[\"data\"],"
                    + "\"properties\":[\"/stage\",\"/action\",\"/timestamp\",\"/protocol\",\"/rawMessage\",\"/envelope\","
                    + "\"/queue\",\"/client\"]},\"outbound\":null}";

    private final LiveService service = LiveService.over(
            new SmallLayer().lists(KeyKind.DOMAIN, "evil.example").inForce());

    @AfterEach
    void stop() {
        service.close();
    }

    private HttpResponse<String> ask(String path, String body, String... header) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(service.uri(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
        return service.send((header.length == 0 ? request : request.headers(header)).build());
    }

    private HttpResponse<String> hook(String message) throws Exception {
        return ask("/v1/hooks", request(base64(message), "{\"address\":\"b@dest.example\",\"parameters\":{}}"));
    }

    private static String base64(String message) {
        return Base64.getEncoder().encodeToString(message.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String request(String rawMessage, String recipients) {
        return "{\"stage\":\"data\",\"action\":\"accept\",\"timestamp\":\"2026-09-05T12:00:00Z\",\"protocol\":{\"version\":\"1.0\"},"
                + "\"rawMessage\":\"" + rawMessage
                + "\",\"envelope\":{\"from\":{\"address\":null,\"parameters\":{}},\"to\":["
                + recipients + "]},\"client\":{\"ip\":\"192.0.2.42\",\"port\":34567,\"ehlo\":\"mx.b.example\"},"
                + "\"queue\":{\"id\":\"TESTQ\"},\"tls\":{\"version\":\"1.3\"}}";
    }

    @Test
    void cleanMailIsNothingToChange() throws Exception {
        HttpResponse<String> answer = hook(CLEAN);

        assertEquals(204, answer.statusCode());
        assertEquals("", answer.body());
    }

    @Test
    void listedMailIsRejectedWithTheTokenOfItsDecision() throws Exception {
        JsonNode answer = JSON.readTree(hook(LISTED).body());

        String token = service.journal.recent().getFirst().token();
        assertEquals(JSON.readTree("""
            {"set":[{"path":"/action","value":"reject"},
                    {"path":"/response","value":{"code":550,"enhancedCode":"5.7.1",
                     "message":"Message refused by policy, token TOKEN"}}]}\
            """.replace("TOKEN", token)), answer);
        assertEquals("192.0.2.42", service.journal.recent().getFirst().client());
    }

    @Test
    void theOlderFormIsAnsweredInItsOwnWords() throws Exception {
        String form = "{\"context\":{\"stage\":\"DATA\",\"client\":{\"ip\":\"192.0.2.42\",\"helo\":\"mx.b.example\"}},"
                + "\"envelope\":{\"from\":{\"address\":\"a@b.example\"},\"to\":[{\"address\":\"c@dest.example\"}]},"
                + "\"message\":{\"headers\":[[\"Subject\",\" hello\\r\\n\"],[\"X-Odd\",\" no line end\"]],"
                + "\"contents\":\"http://HOST/\\r\\n\",\"size\":7}}";

        JsonNode clean = JSON.readTree(
                ask("/v1/hooks", form.replace("HOST", "fine.example")).body());
        JsonNode listed = JSON.readTree(
                ask("/v1/hooks", form.replace("HOST", "evil.example")).body());

        assertEquals(JSON.readTree("{\"action\":\"accept\"}"), clean);
        assertEquals("reject", listed.get("action").asText());
        assertEquals(550, listed.at("/response/status").asInt());
        assertEquals("5.7.1", listed.at("/response/enhancedStatus").asText());
    }

    @Test
    void whatASenderForgedIsDeletedInBothForms() throws Exception {
        String forged =
                "Received: x\r\nX-Bloomgate-Verdict: clean\r\nSubject: hello\r\nx-bloomgate-verdict: clean\r\n\r\nhello\r\n";
        String headers =
                "[\"Received\",\" x\\r\\n\"],[\"X-Bloomgate-Verdict\",\" clean\\r\\n\"],[\"x-bloomgate-verdict\",\" clean\\r\\n\"]";

        assertEquals(
                JSON.readTree("{\"delete\":[{\"path\":\"/message/headers/3\"},{\"path\":\"/message/headers/1\"}]}"),
                JSON.readTree(hook(forged).body()));
        assertEquals(
                JSON.readTree("{\"action\":\"accept\",\"modifications\":["
                        + "{\"type\":\"deleteHeader\",\"index\":2,\"name\":\"x-bloomgate-verdict\"},"
                        + "{\"type\":\"deleteHeader\",\"index\":1,\"name\":\"X-Bloomgate-Verdict\"}]}"),
                JSON.readTree(ask(
                                "/v1/hooks",
                                "{\"context\":{\"stage\":\"DATA\"},\"message\":{\"headers\":[" + headers
                                        + "],\"contents\":\"hello\\r\\n\"}}")
                        .body()));
    }

    @Test
    void moreForgedFieldsThanEditsAreRefused() throws Exception {
        String beyond = "X-Bloomgate-Reason: x\r\n".repeat(HookMessage.MAX_FORGED + 1) + "\r\nhello\r\n";

        assertEquals(
                552, JSON.readTree(hook(beyond).body()).at("/set/1/value/code").asInt());
        assertEquals("reject", service.journal.recent().getFirst().action());
    }

    @Test
    void mailFromHooksCountsAsMail() throws Exception {
        hook(CLEAN);
        hook(LISTED);

        String metrics = service.get("/metrics").body();
        assertTrue(metrics.contains("bloomgate_messages_total{action=\"pass\",verdict=\"clean\"} 1.0"), metrics);
        assertTrue(metrics.contains("bloomgate_messages_total{action=\"reject\",verdict=\"listed\"} 1.0"), metrics);
        assertTrue(metrics.contains("bloomgate_stage_seconds_count{stage=\"read\"} 2"), metrics);
    }

    @Test
    void beforeTheMessageIsThereItGoesOn() throws Exception {
        for (String stage : new String[] {"connect", "ehlo", "auth", "mail", "rcpt", "delivery"}) {
            assertEquals(
                    204,
                    ask("/v1/hooks", "{\"stage\":\"" + stage + "\",\"client\":{\"ip\":\"192.0.2.42\"}}")
                            .statusCode(),
                    stage);
        }
        assertTrue(service.journal.recent().isEmpty());
    }

    @Test
    void aBridgeRegistersAsksAndTakesLeave() throws Exception {
        assertEquals(200, service.get("/.well-known/mta-hooks").statusCode());
        HttpResponse<String> registered = ask("/v1/hooks/register", REGISTRATION);
        JsonNode agreed = JSON.readTree(registered.body());
        String id = agreed.get("registrationId").asText();
        String status = agreed.at("/endpoints/status").asText();

        assertEquals(201, registered.statusCode());
        assertEquals("active", agreed.get("status").asText());
        assertTrue(agreed.get("expiresAt").isNull());
        assertEquals("json", agreed.at("/negotiated/serialization").asText());
        assertEquals(
                JSON.readTree(REGISTRATION).get("inbound"), agreed.at("/negotiated/inbound"), "all that it asked for");
        assertEquals("/v1/hooks", agreed.get("hookEndpoint").asText());
        assertEquals(
                204,
                ask("/v1/hooks", request(base64(CLEAN), ""), "X-MTA-Hooks-Registration", id)
                        .statusCode());
        assertEquals(
                404,
                ask("/v1/hooks", request(base64(CLEAN), ""), "X-MTA-Hooks-Registration", "of-another-version")
                        .statusCode());
        assertEquals(200, service.get(status).statusCode());
        assertEquals(404, service.get(status + "x").statusCode());
        HttpResponse<String> left = service.send(
                HttpRequest.newBuilder(service.uri(status)).DELETE().build());
        assertEquals("deregistered", JSON.readTree(left.body()).get("status").asText());
    }

    @Test
    void whatCannotBeAgreedOnIsRefused() throws Exception {
        for (String wrong : new String[] {
            REGISTRATION.replace("\"json\"", "\"cbor\""),
            REGISTRATION.replace("[\"data\"]", "[\"connect\"]"),
            REGISTRATION.replace("\"/rawMessage\",", ""),
            REGISTRATION.replace("\"/queue\"", "\"/client\""),
            REGISTRATION.replace("\"/queue\"", "42"),
            "[]",
            "{",
        }) {
            assertEquals(400, ask("/v1/hooks/register", wrong).statusCode(), wrong);
        }
    }

    /// An error is what mail servers put a mail off for.
    @Test
    void aRequestThatCannotBeReadIsAnError() throws Exception {
        for (String wrong : new String[] {
            "",
            "[]",
            "{}",
            "{\"stage\":\"data\"",
            request("!!!!", ""),
            request(base64(CLEAN), "").replace("\"" + base64(CLEAN) + "\"", "7"),
            request(base64(CLEAN), "") + "{}",
            request("", "").replace("\"rawMessage\":\"\",", ""),
            request("", "").replace("\"rawMessage\":\"\"", "\"rawMessage\":null"),
            request("", "").replace("\"rawMessage\":\"\"", "\"rawMessage\":[\"\"]"),
            request(base64(CLEAN), "\"b@dest.example\""),
            request(base64(CLEAN), "{\"address\":7}"),
            request(base64(CLEAN), "").replace("\"to\":[]", "\"to\":{\"address\":\"b@dest.example\"}"),
            request(base64(CLEAN), "")
                    .replace("\"envelope\":{", "\"envelope\":[{")
                    .replace("\"to\":[]}", "\"to\":[]}]"),
            request(base64(CLEAN), "").replace("{\"address\":null,\"parameters\":{}}", "\"a@from.example\""),
            request(base64(CLEAN), "").replace("\"192.0.2.42\"", "3221225985"),
            request(base64(CLEAN), "").replace("\"tls\":{", "\"auth\":{\"login\":true},\"tls\":{"),
            request(base64(CLEAN), "").replace("\"tls\":{", "\"auth\":\"ann\",\"tls\":{"),
            request(base64(CLEAN), "").replace("\"data\"", "[\"data\"]"),
            "{\"context\":{\"stage\":\"DATA\"}}",
            "{\"context\":{\"stage\":\"DATA\"},\"message\":null}",
            "{\"context\":\"DATA\",\"message\":{}}",
            "{\"context\":{\"stage\":\"DATA\",\"client\":[]},\"message\":{}}",
            "{\"context\":{\"stage\":\"DATA\"},\"message\":\"Subject: x\"}",
            "{\"context\":{\"stage\":\"DATA\"},\"message\":{\"contents\":7}}",
            "{\"context\":{\"stage\":\"DATA\"},\"message\":{\"headers\":{\"Subject\":\"x\"}}}",
            "{\"context\":{\"stage\":\"DATA\"},\"message\":{\"headers\":[\"Subject: x\"]}}",
            "{\"context\":{\"stage\":\"DATA\"},\"message\":{\"headers\":[[\"Subject\",null,\"x\"]]}}",
            "{\"stage\":\"data\",\"stage\":\"mail\"}",
            "{\"stage\":\"data\",\"client\":" + "[".repeat(17) + "]".repeat(17) + "}",
        }) {
            assertEquals(400, ask("/v1/hooks", wrong).statusCode(), wrong);
        }
        assertTrue(service.journal.recent().isEmpty());
    }

    /// What is not said is unknown, and the mail is judged without it.
    @Test
    void whatIsLeftOutOrNullIsNoError() throws Exception {
        String stalwart =
                "{\"context\":{\"stage\":\"DATA\",\"client\":null,\"sasl\":null},\"envelope\":null,\"message\":{}}";
        for (String sparse : new String[] {
            "{\"stage\":\"data\",\"rawMessage\":\"" + base64(LISTED) + "\"}",
            "{\"rawMessage\":\"" + base64(LISTED)
                    + "\",\"envelope\":null,\"client\":null,\"auth\":null,\"stage\":\"DATA\",\"new\":[{}]}",
            request(base64(LISTED), "")
                    .replace("\"tls\"", "\"message\":{\"headers\":[{\"name\":\"x\",\"value\":\"y\"}]},\"tls\""),
            request(base64(LISTED), "{},{\"address\":null}")
                    .replace("\"from\":{\"address\":null,\"parameters\":{}},", ""),
        }) {
            assertEquals(
                    "reject",
                    JSON.readTree(ask("/v1/hooks", sparse).body())
                            .at("/set/0/value")
                            .asText(),
                    sparse);
        }
        assertEquals(
                "accept",
                JSON.readTree(ask("/v1/hooks", stalwart).body()).get("action").asText());
        assertEquals(204, ask("/v1/hooks", "{\"stage\":\"of a draft to come\"}").statusCode());
        assertEquals(5, service.journal.recent().size());
    }

    @Test
    void recipientsAreBounded() throws Exception {
        String one = "{\"address\":\"b@dest.example\"}";
        String most = String.join(",", Collections.nCopies(HookReader.MAX_RECIPIENTS, one));

        assertEquals(204, ask("/v1/hooks", request(base64(CLEAN), most)).statusCode());
        assertEquals(
                400, ask("/v1/hooks", request(base64(CLEAN), most + "," + one)).statusCode());
    }
}
