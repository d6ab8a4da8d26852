package org.bloomgate.base.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.app.gateway.options.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The fragments `conf.d/*.yaml` and `*.yml` beside a configuration file.
class ConfigFragmentsTest {
    @TempDir
    private Path folder;

    private Path main = Path.of("");

    @BeforeEach
    void configure() throws IOException {
        main = Files.writeString(folder.resolve("bloomgate.yaml"), """
                nextHop: "smtp://192.0.2.1:25"
                smtp:
                  hostname: main.example
                  relayDomains: [a.example, b.example]
                http:
                  operators:
                    ada: { role: admin, token: "a-token-of-ada-here", checksPerSecond: 5 }
                """);
        Files.createDirectory(folder.resolve("conf.d"));
    }

    private Path fragment(String name, String yaml) throws IOException {
        return Files.writeString(folder.resolve("conf.d").resolve(name), yaml);
    }

    private Configuration read() throws ConfigException {
        return ConfigReader.read(main, Configuration.defaults());
    }

    private List<String> errors() {
        return assertThrows(ConfigException.class, this::read).errors().stream()
                .map(ConfigError::toString)
                .toList();
    }

    @Test
    void maps_areMergedListsAndScalarsReplaced() throws Exception {
        fragment("own.yaml", """
                smtp: { hostname: own.example, relayDomains: [c.example] }
                http:
                  operators:
                    ada: { role: reader }
                    eve: { role: client, token: "a-token-of-eve-here" }
                """);

        Configuration read = read();

        assertEquals("smtp://192.0.2.1:25", read.nextHop());
        assertEquals("own.example", read.smtp().hostname());
        assertEquals(
                List.of("c.example"),
                read.smtp().access().relayDomains().stream()
                        .map(Object::toString)
                        .toList());
        assertEquals(Set.of("ada", "eve"), read.http().operators().keySet());
        assertEquals(
                List.of("READER 5"),
                read.http().operators().values().stream()
                        .filter(one -> one.checksPerSecond() > 0)
                        .map(one -> one.role() + " " + one.checksPerSecond())
                        .toList());
    }

    /// `B.yml` is before `a.yaml` in bytes; other names are not read.
    @Test
    void laterName_takesPrecedence() throws Exception {
        fragment("a.yaml", "smtp: { hostname: second.example }");
        fragment("B.yml", "smtp: { hostname: first.example, maxSessions: 7 }");
        fragment("b.yml", "smtp: { hostname: last.example }");
        fragment("z.yaml.tmp", "smtp: { hostname: other.example }");
        fragment("z.yml~", "smtp: { hostname: other.example }");
        fragment(".z.yml", "smtp: { hostname: hidden.example }");
        fragment("empty.yaml", "# nothing\n");

        assertEquals("last.example", read().smtp().hostname());
        assertEquals(7, read().smtp().sessions().maxSessions());
    }

    @Test
    void variableAndOption_takePrecedenceOverFragments() throws Exception {
        fragment("own.yaml", "smtp: { hostname: own.example, maxSessions: 7 }");

        Configuration read = ConfigReader.read(
                main,
                Map.of("BLOOMGATE_SMTP_HOSTNAME", "variable.example", "BLOOMGATE_SMTP_MAXSESSIONS", "8"),
                Map.of("smtp.maxSessions", "9"),
                Configuration.defaults());

        assertEquals("variable.example", read.smtp().hostname());
        assertEquals(9, read.smtp().sessions().maxSessions());
    }

    @Test
    void errors_nameTheFileThatSetTheValue() throws Exception {
        Path one = fragment("one.yaml", "\nsmtp:\n  hostnam: x\n");
        Path two = fragment("two.yaml", "smtp:\n  maxSessions: 0\n");

        assertEquals(
                List.of(
                        one + ":3: unknown key 'smtp.hostnam'; did you mean 'smtp.hostname'?",
                        two + ":2: smtp.maxSessions must be above 0"),
                errors());

        fragment("two.yaml", "");
        Files.writeString(main, "smtp:\n  maxSessions: 0\n");
        fragment("one.yaml", "smtp: { hostname: own.example }");
        assertEquals(List.of(main + ":2: smtp.maxSessions must be above 0"), errors());
    }

    @Test
    void damagedFragments_areAllReported() throws Exception {
        Path one = fragment("one.yaml", "smtp:\n\tx: 1");
        Path two = fragment("two.yaml", "[]");

        assertEquals(
                List.of(one + ":2: not valid YAML: a tab; indent with blanks", two + ":1: takes keys and values"),
                errors());
    }

    @Test
    void settings_areNamedWithTheirFile() throws Exception {
        Path own = fragment("own.yaml", "smtp:\n  hostname: own.example\n");

        List<String> places = ConfigReader.explicitSettings(main, Map.of(), Map.of(), Configuration.defaults()).stream()
                .filter(setting -> setting.key().equals("smtp.hostname"))
                .map(ExplicitSetting::where)
                .toList();

        assertEquals(List.of(own + ":2"), places);
    }
}
