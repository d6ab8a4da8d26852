package org.bloomgate.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// The part of the schemas of OpenAPI 3.0 that the document of the service uses. An unknown keyword is a flaw, and so
/// is a field that an object has beyond its properties, although clients must accept one.
final class JsonSchema {
    private static final Set<String> KNOWN = Set.of(
            "$ref",
            "type",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "enum",
            "pattern",
            "minLength",
            "maxLength",
            "format",
            "description",
            "default");

    private final JsonNode document;

    JsonSchema(JsonNode document) {
        this.document = document;
    }

    /// What is wrong with the value, each with the place; nothing when it is as the schema wants it.
    List<String> flaws(JsonNode schema, JsonNode value) {
        List<String> flaws = new ArrayList<>();
        check(schema, value, "$", flaws);
        return flaws;
    }

    /// The node itself, or what it refers to within the document.
    JsonNode resolved(JsonNode node) {
        if (!node.has("$ref")) {
            return node;
        }
        JsonNode target = document.at(node.get("$ref").asText().substring(1));
        if (target.isMissingNode()) {
            throw new AssertionError(node.get("$ref") + " leads nowhere");
        }
        return target;
    }

    private void check(JsonNode reference, JsonNode value, String at, List<String> flaws) {
        JsonNode schema = resolved(reference);
        schema.fieldNames().forEachRemaining(keyword -> {
            if (!KNOWN.contains(keyword)) {
                flaws.add(at + ": the keyword " + keyword + " is not checked");
            }
        });
        type(schema, value, at, flaws);
        text(schema, value, at, flaws);
        object(schema, value, at, flaws);
        for (int i = 0; value.isArray() && schema.has("items") && i < value.size(); i++) {
            check(schema.get("items"), value.get(i), at + "[" + i + "]", flaws);
        }
    }

    private static void type(JsonNode schema, JsonNode value, String at, List<String> flaws) {
        JsonNode type = schema.path("type");
        if (!type.isMissingNode() && !is(type.asText(), value)) {
            flaws.add(at + ": " + value + " is no " + type);
        }
        boolean named = !schema.has("enum");
        for (JsonNode one : schema.path("enum")) {
            named |= one.equals(value);
        }
        if (!named) {
            flaws.add(at + ": " + value + " is none of " + schema.get("enum"));
        }
    }

    private static boolean is(String type, JsonNode value) {
        return switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            default -> false;
        };
    }

    private static void text(JsonNode schema, JsonNode value, String at, List<String> flaws) {
        if (!value.isTextual()) {
            return;
        }
        String text = value.asText();
        if (schema.has("pattern")
                && !Pattern.compile(schema.get("pattern").asText())
                        .matcher(text)
                        .find()) {
            flaws.add(at + ": does not match " + schema.get("pattern"));
        }
        if (text.length() < schema.path("minLength").asInt(0)
                || text.length() > schema.path("maxLength").asInt(Integer.MAX_VALUE)) {
            flaws.add(at + ": of " + text.length() + " characters");
        }
        if (schema.path("format").asText().equals("date-time") && !isInstant(text)) {
            flaws.add(at + ": " + value + " is no instant");
        }
    }

    private static boolean isInstant(String text) {
        try {
            return Instant.parse(text).toString().equals(text);
        } catch (DateTimeException malformed) {
            return false;
        }
    }

    private void object(JsonNode schema, JsonNode value, String at, List<String> flaws) {
        if (!value.isObject()) {
            return;
        }
        for (JsonNode name : schema.path("required")) {
            if (!value.has(name.asText())) {
                flaws.add(at + ": lacks " + name);
            }
        }
        JsonNode others = schema.path("additionalProperties");
        value.fieldNames().forEachRemaining(name -> {
            JsonNode of = schema.path("properties").path(name);
            if (!of.isMissingNode()) {
                check(of, value.get(name), at + "." + name, flaws);
            } else if (others.isObject()) {
                check(others, value.get(name), at + "." + name, flaws);
            } else if (schema.has("properties")) {
                flaws.add(at + ": has " + name + " too");
            }
        });
    }
}
