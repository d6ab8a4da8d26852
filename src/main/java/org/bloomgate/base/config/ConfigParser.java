package org.bloomgate.base.config;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bloomgate.base.config.ConfigNode.Mapping;
import org.bloomgate.base.config.ConfigNode.Origin;
import org.bloomgate.base.config.ConfigNode.Scalar;
import org.bloomgate.base.config.ConfigNode.Sequence;
import org.bloomgate.base.io.IoText;

/// Parses YAML, which includes JSON, into a [ConfigNode] tree. Anchors and aliases are rejected, so that every
/// value is written where it applies.
final class ConfigParser {
    /// Configurations are written by hand; a longer file is not one.
    private static final long MAX_FILE_BYTES = 4L * 1024 * 1024;

    private static final int MAX_DEPTH = 20;
    private static final YAMLFactory YAML = new YAMLFactory();

    private final String file;
    private final JsonParser parser;

    private ConfigParser(String file, JsonParser parser) {
        this.file = file;
        this.parser = parser;
    }

    static ConfigNode parse(Path file) throws ConfigException {
        String name = file.toString();
        try {
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw createException(name, "larger than " + MAX_FILE_BYTES + " bytes: not a configuration file");
            }
            return parse(name, Files.readString(file));
        } catch (NoSuchFileException e) {
            throw createException(name, "no such file");
        } catch (IOException e) {
            throw createException(name, "cannot be read: " + IoText.of(e));
        }
    }

    static ConfigNode parse(String name, String text) throws ConfigException {
        try (JsonParser parser = YAML.createParser(text)) {
            ConfigParser reader = new ConfigParser(name, parser);
            ConfigNode root = parser.nextToken() == null
                    ? new Mapping(new Origin(name, 1), Map.of(), Map.of())
                    : reader.parseNode(0);
            if (parser.nextToken() != null) {
                throw createException(reader.findOrigin().toString(), "a second document; put everything in one");
            }
            return root;
        } catch (JsonParseException e) {
            throw new ConfigException(List.of(YamlFault.of(name, e)));
        } catch (IOException e) {
            throw createException(name, "not valid YAML: " + firstLine(String.valueOf(e.getMessage())));
        }
    }

    private ConfigNode parseNode(int depth) throws IOException, ConfigException {
        if (depth > MAX_DEPTH) {
            throw createException(findOrigin().toString(), "nested deeper than " + MAX_DEPTH + " levels");
        }
        if (parser instanceof YAMLParser yaml && (yaml.isCurrentAlias() || yaml.getObjectId() != null)) {
            throw createException(findOrigin().toString(), "anchors and aliases are not read; write the value out");
        }
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> parseMapping(depth);
            case START_ARRAY -> parseSequence(depth);
            case VALUE_NULL -> new Scalar(findOrigin(), "");
            default -> new Scalar(findOrigin(), parser.getText());
        };
    }

    private Mapping parseMapping(int depth) throws IOException, ConfigException {
        Origin start = findOrigin();
        Map<String, ConfigNode> entries = new LinkedHashMap<>();
        Map<String, Origin> keys = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            Origin at = findOrigin();
            parser.nextToken();
            if (keys.putIfAbsent(key, at) != null) {
                throw createException(at.toString(), "'" + key + "' a second time; the first is at " + keys.get(key));
            }
            entries.put(key, parseNode(depth + 1));
        }
        return new Mapping(start, entries, keys);
    }

    private Sequence parseSequence(int depth) throws IOException, ConfigException {
        Origin start = findOrigin();
        List<ConfigNode> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(parseNode(depth + 1));
        }
        return new Sequence(start, items);
    }

    private Origin findOrigin() {
        return new Origin(file, parser.currentTokenLocation().getLineNr());
    }

    private static ConfigException createException(String where, String message) {
        return new ConfigException(List.of(new ConfigError(where, message)));
    }

    private static String firstLine(String message) {
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }
}
