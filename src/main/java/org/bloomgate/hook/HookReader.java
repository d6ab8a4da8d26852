package org.bloomgate.hook;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.bloomgate.hook.HookMail.Dialect;
import org.bloomgate.judge.Caller;
import org.bloomgate.judge.Envelope;
import org.bloomgate.net.IpLiteral;
import org.bloomgate.web.Problem;
import org.bloomgate.web.ProblemException;
import org.bloomgate.web.RequestBody;

/// Reads a request of an MTA hook. Fields that say nothing about mail are passed over, as mail servers send what they
/// please. One that says something and is of another type than it should be makes the request an error, and so does a
/// whole mail without its message. Base64 is decoded as it comes, so that a message is held once. Used by one thread.
public final class HookReader {
    /// Of one message. A mail server's own bound is far below.
    public static final int MAX_RECIPIENTS = 10_000;

    private static final int MAX_DEPTH = 16;

    /// The body of the request is bounded; a message in text is one string.
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .maxStringLength(Integer.MAX_VALUE)
                            .maxNameLength(256)
                            .maxNumberLength(32)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                    .build())
            .build();

    private final JsonNode nothing = JSON.missingNode();
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();
    private Dialect dialect = Dialect.DRAFT;
    private String stage = "";
    private JsonNode client = nothing;
    private JsonNode login = nothing;
    private JsonNode envelope = nothing;
    private JsonNode parts = nothing;
    private boolean isRaw;

    private HookReader() {}

    /// @throws ProblemException when it is not the JSON that is expected
    /// @throws IOException only when the connection fails
    static HookMail read(RequestBody body) throws IOException {
        try (JsonParser parser = JSON.createParser(body)) {
            return new HookReader().read(parser);
        } catch (JsonProcessingException malformed) {
            body.requireSound();
            throw refused("malformed JSON, Base64 or JSON beyond depth " + MAX_DEPTH);
        }
    }

    /// Any JSON object of a bounded body.
    ///
    /// @throws ProblemException when it is none
    static JsonNode object(RequestBody body) throws IOException {
        try {
            JsonNode read = JSON.readTree(body);
            if (read == null || !read.isObject()) {
                throw refused("expected a JSON object");
            }
            return read;
        } catch (JsonProcessingException malformed) {
            body.requireSound();
            throw refused("malformed JSON");
        }
    }

    private HookMail read(JsonParser parser) throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw refused("expected a JSON object");
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            field(name, parser);
        }
        if (parser.nextToken() != null) {
            throw refused("something behind the JSON object");
        }
        if (stage.isEmpty()) {
            throw refused("no stage");
        }
        Envelope read = envelope();
        boolean isThere = switch (dialect) {
            case DRAFT -> isRaw;
            case STALWART -> inText();
        };
        HookMail mail = new HookMail(dialect, stage, read, new HookMessage(message.toByteArray()));
        if (mail.isWhole() && !isThere) {
            throw refused("no message at the stage " + stage);
        }
        return mail;
    }

    private void field(String name, JsonParser parser) throws IOException {
        switch (name) {
            case "rawMessage" -> rawMessage(parser);
            case "stage" -> stage = text(JSON.readTree(parser)).toLowerCase(Locale.ROOT);
            case "envelope" -> envelope = object(name, JSON.readTree(parser));
            case "client" -> client = object(name, JSON.readTree(parser));
            case "auth" -> login = object(name, JSON.readTree(parser)).path("login");
            case "context" -> context(object(name, JSON.readTree(parser)));
            case "message" -> parts = JSON.readTree(parser);
            default -> parser.skipChildren();
        }
    }

    private void rawMessage(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_STRING) {
            isRaw = true;
            try {
                parser.readBinaryValue(message);
            } catch (IllegalArgumentException wrongLetter) {
                throw refused("rawMessage is not Base64");
            }
        } else if (parser.currentToken() != JsonToken.VALUE_NULL) {
            throw refused("rawMessage is not Base64");
        }
    }

    private void context(JsonNode context) {
        dialect = Dialect.STALWART;
        stage = text(context.path("stage")).toLowerCase(Locale.ROOT);
        client = object("client", context.path("client"));
        login = object("sasl", context.path("sasl")).path("login");
    }

    /// Header fields as pairs of name and what stands behind the colon, line end included.
    ///
    /// @return false when there is no message
    private boolean inText() {
        message.reset();
        for (JsonNode field : array("headers", object("message", parts))) {
            if (!field.isArray() || field.size() != 2) {
                throw refused("a header field is a name and a value");
            }
            String value = text(field.path(1));
            add(text(field.path(0)) + ":" + (value.endsWith("\n") ? value : value + "\r\n"));
        }
        add("\r\n");
        add(text(parts.path("contents")));
        return parts.isObject();
    }

    private void add(String text) {
        message.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /// What cannot be read of it is unknown: a mail server that took an odd path has its reasons.
    private Envelope envelope() {
        List<String> recipients = new ArrayList<>();
        for (JsonNode recipient : array("to", envelope)) {
            recipients.add(path(object("recipient", recipient)));
        }
        if (recipients.size() > MAX_RECIPIENTS) {
            throw refused("more than " + MAX_RECIPIENTS + " recipients");
        }
        JsonNode from = object("from", envelope.path("from"));
        Optional<String> sender = from.isObject() ? Optional.of(path(from)) : Optional.empty();
        return new Envelope(
                sender,
                recipients,
                new Caller(
                        IpLiteral.parse(text(client.path("ip"))),
                        "",
                        text(client.path("ehlo")) + text(client.path("helo")),
                        !text(login).isEmpty()));
    }

    private static String path(JsonNode of) {
        String path = text(of.path("address"));
        return path.startsWith("<") && path.endsWith(">") ? path.substring(1, path.length() - 1) : path;
    }

    /// Empty where there is none, or null: the null reverse-path.
    private static String text(JsonNode node) {
        if (!node.isTextual() && !isNothing(node)) {
            throw refused("a value that is to be text is none");
        }
        return node.isTextual() ? node.textValue() : "";
    }

    private static JsonNode object(String name, JsonNode node) {
        if (!node.isObject() && !isNothing(node)) {
            throw refused(name + " is no object");
        }
        return node;
    }

    private static JsonNode array(String name, JsonNode of) {
        JsonNode node = of.path(name);
        if (!node.isArray() && !isNothing(node)) {
            throw refused(name + " is no array");
        }
        return node;
    }

    private static boolean isNothing(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }

    private static ProblemException refused(String detail) {
        return new ProblemException(Problem.badRequest(detail));
    }
}
