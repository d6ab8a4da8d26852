package org.bloomgate.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestJsonTest {
    private static final RequestJson<Question> QUESTION = new RequestJson<>(Question.class, "{\"password\": string}");

    private static final RequestJson<Choice> CHOICE = RequestJson.withOptionalFields(Choice.class, "a choice");

    record Question(String password) {}

    record Choice(Optional<String> one, Optional<List<String>> many, Optional<Boolean> flag) {}

    private static Choice choice(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return CHOICE.read(new RequestBody(new ByteArrayInputStream(bytes), 1 << 20, Duration.ofMinutes(1)));
    }

    private static Question read(byte[] bytes) throws IOException {
        return QUESTION.read(new RequestBody(new ByteArrayInputStream(bytes), 1 << 20, Duration.ofMinutes(1)));
    }

    private static Question read(String text) throws IOException {
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String refusal(String text) {
        ProblemException refused = assertThrows(ProblemException.class, () -> read(text));
        assertEquals(400, refused.answer().status());
        return new String(refused.answer().body(), StandardCharsets.UTF_8);
    }

    @Test
    void theFieldIsReadAsItWasSent() throws IOException {
        assertEquals("a\u0000\"é\n", read("{\"password\":\"a\\u0000\\\"é\\n\"}").password());
        assertEquals("", read(" { \"password\" : \"\" } ").password());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "null",
                "[]",
                "\"hunter2\"",
                "{}",
                "{\"password\":null}",
                "{\"password\":12345678}",
                "{\"password\":1.5}",
                "{\"password\":true}",
                "{\"password\":[\"hunter2\"]}",
                "{\"password\":{\"hunter2\":1}}",
                "{\"password\":\"hunter2\"",
                "{\"password\":\"hunter2\"} x",
                "{\"password\":\"hunter2\"}{}",
                "{\"password\":\"hunter2\",\"hunter2\":1}",
                "{\"password\":\"hunter2\",\"password\":\"hunter2\"}",
                "{'password':'hunter2'}",
                "{\"password\":hunter2}",
                "{\"password\":\"hunter2\\q\"}",
                "{\"hunter2\":\"hunter2\"}"
            })
    void whatIsNotTheExpectedJsonIsRefusedAndNeverQuoted(String text) {
        String problem = refusal(text);
        assertFalse(problem.contains("hunter2"), problem);
        assertFalse(problem.contains("12345678"), problem);
    }

    @Test
    void optionalFieldsMayBeLeftOut() throws IOException {
        assertEquals(new Choice(Optional.empty(), Optional.empty(), Optional.empty()), choice("{}"));
        assertEquals(
                new Choice(Optional.of("a"), Optional.of(List.of("b", "")), Optional.of(true)),
                choice("{\"flag\":true,\"many\":[\"b\",\"\"],\"one\":\"a\"}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"one\":1}",
                "{\"one\":[\"a\"]}",
                "{\"many\":\"a\"}",
                "{\"many\":[1]}",
                "{\"many\":[null]}",
                "{\"flag\":\"true\"}",
                "{\"flag\":1}",
                "{\"other\":1}"
            })
    void anOptionalFieldIsOfItsTypeAndIsKnown(String text) {
        assertThrows(ProblemException.class, () -> choice(text));
    }

    @Test
    void aRefusalNamesThePlace() {
        assertTrue(refusal("{\n  \"password\": hunter2}").contains("malformed JSON at line 2, column 15"));
        assertTrue(refusal("{\"password\":\"x\",\"user\":\"x\"}").contains("an unknown field at line 1, column"));
        assertTrue(refusal("{}").contains("expected {\\\"password\\\": string}"));
    }

    @Test
    void bytesThatAreNoUtf8AreRefused() {
        byte[] latin1 = "{\"password\":\"gr\u00fcn\"}".getBytes(StandardCharsets.ISO_8859_1);
        assertThrows(ProblemException.class, () -> read(latin1));
        assertThrows(ProblemException.class, () -> read(new byte[] {0, 0, 0, 0, (byte) 0xff, 0, 0, 0}));
    }

    @Test
    void aStringIsReadUpToTheLimit() throws IOException {
        String atLimit = "x".repeat(RequestJson.MAX_STRING);
        assertEquals(atLimit, read("{\"password\":\"" + atLimit + "\"}").password());
        assertTrue(refusal("{\"password\":\"" + atLimit + "x\"}").contains("beyond the limits"));
    }

    @Test
    void nestingIsReadUpToTheLimit() {
        String deep = "[".repeat(RequestJson.MAX_DEPTH + 1);
        assertTrue(refusal("{\"password\":" + deep).contains("at line 1"));
        assertTrue(refusal("[".repeat(500_000)).contains("at line 1"));
    }
}
