package org.bloomgate.base.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.app.gateway.options.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
    @TempDir
    private Path folder;

    /// Options to read.
    record Options(String name, int size, String adminToken, List<String> names) {}

    private static final Options DEFAULTS = new Options("a", 1, "", List.of());

    @Test
    void settings_haveValueDefaultAndPlace() throws IOException, ConfigException {
        Path file = folder.resolve("x.yaml");
        Files.writeString(file, "size: 2\nname: a\nnames: [b, c]\n");
        List<Setting> settings = ConfigReader.parse(file, Map.of(), Map.of("adminToken", "secret"), DEFAULTS)
                .settings(DEFAULTS);
        assertEquals(
                List.of(
                        "adminToken '(set)' '' true --set adminToken 0",
                        "names '[b, c]' '[]' true x.yaml:3 3",
                        "size '2' '1' true x.yaml:1 1",
                        "name 'a' 'a' false x.yaml:2 2"),
                settings.stream().map(this::line).toList());
        assertEquals(
                Optional.empty(),
                ConfigReader.parse(Files.writeString(file, ""), Map.of(), Map.of(), DEFAULTS)
                        .settings(DEFAULTS)
                        .getFirst()
                        .origin());
    }

    /// Texts of every type that an option has; the first one that is valid for a key and not its default is used.
    private static final List<String> TEXTS = List.of(
            "true",
            "false",
            "7",
            "0.5",
            "7s",
            "12h",
            "512M",
            "127.0.0.1:7",
            "192.0.2.0/24",
            "x.example",
            "tag",
            "pass",
            "smtp://192.0.2.1:25",
            "https://x.example/",
            "[\"127.0.0.1:7000\", \"127.0.0.1:7001\"]",
            "info",
            "DE",
            "status");

    /// Values that other keys must go with, and entries of maps that are empty by default.
    private static final List<String> TOGETHER = List.of(
            "dns: { listen: \"127.0.0.1:7\", zones: { x.example: { kinds: [domain] } } }",
            "exact: { redis: { username: x, password: y } }",
            "exact: { store: http, http: { urls: [\"http://127.0.0.1:1/\"] } }",
            "exports: { x: { format: txt } }",
            "log: { libraries: { x: info } }",
            "memory: { groups: [{ own: true, key: x.key }] }",
            "reports: { addresses: [x@x.example] }",
            "smtp: { listeners: { x: { listen: \"127.0.0.1:7\" } } }",
            "http: { operators: { x: { role: client, token: \"0123456789abcdef\" } } }",
            "http: { tls: { certificate: x.pem, key: x.key } }",
            "smtp: { tls: { certificate: x.pem, key: x.key } }",
            "policy: { recipients: { x.example: { shadow: true } } }",
            "policy: { senders: { x.example: { shadow: true } } }",
            "protect: { people: { X Y: [x@x.example] } }",
            "smtp: { proxyProtocol: true, trusted: [192.0.2.1] }");

    /// Every key of the configuration is named when a file gives it another value, a map by its entries; and those that
    /// need a restart, and no others, are named as such.
    @Test
    void everyChangedSetting_isNamed() throws Exception {
        Configuration defaults = Configuration.defaults();
        Set<String> restart = RestartKeys.collect(defaults);
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, Object> option :
                OptionRecords.collectOptions(defaults).entrySet()) {
            String key = option.getKey();
            Optional<ParsedConfig<Configuration>> other = changed(key, option.getValue(), defaults);
            if (other.isEmpty()) {
                wrong.add(key + ": no other value is known here");
                continue;
            }
            if (other.get().changed(defaults).stream()
                    .noneMatch(setting -> (setting.key() + ".").startsWith(key + ".")
                            && setting.where().endsWith(".yaml:1"))) {
                wrong.add(key + ": not named");
            }
            boolean waits = ConfigReader.keysAwaitingRestart(
                            defaults, other.get().value())
                    .stream()
                    .anyMatch(one -> one.equals(key) || one.startsWith(key + " "));
            if (waits != restart.contains(key)) {
                wrong.add(key + ": restart " + waits);
            }
        }
        assertEquals(List.of(), wrong);
    }

    /// A valid configuration in which the value of a key is not the default.
    private Optional<ParsedConfig<Configuration>> changed(String key, Object value, Configuration defaults)
            throws IOException {
        List<String> texts = new ArrayList<>(TEXTS);
        if (value instanceof Enum<?> constant) {
            Stream.of(constant.getDeclaringClass().getEnumConstants())
                    .forEach(other -> texts.add(ScalarReader.write(other)));
        }
        Stream<String> keys = value instanceof Map<?, ?> entries
                ? entries.keySet().stream().map(name -> key + "." + ScalarReader.write(name))
                : Stream.of(key);
        List<String> candidates = Stream.concat(
                        keys.flatMap(at -> texts.stream()
                                .map(text -> at.replace(".", ": { ") + ": " + text
                                        + " }"
                                                .repeat(at.length()
                                                        - at.replace(".", "").length()))),
                        TOGETHER.stream())
                .toList();
        for (String yaml : candidates) {
            Path file = Files.writeString(folder.resolve("x.yaml"), yaml);
            try {
                ParsedConfig<Configuration> parsed = ConfigReader.parse(file, Map.of(), Map.of(), defaults);
                if (!value.equals(OptionRecords.collectOptions(parsed.value()).get(key))) {
                    return Optional.of(parsed);
                }
            } catch (ConfigException invalidForThisKey) {
                assertFalse(invalidForThisKey.errors().isEmpty());
            }
        }
        return Optional.empty();
    }

    private String line(Setting one) {
        return one.key() + " '" + one.value() + "' '" + one.defaultValue() + "' " + one.differs() + " "
                + one.origin().orElse("-").replace(folder + "/", "") + " "
                + one.line().orElse(0);
    }
}
