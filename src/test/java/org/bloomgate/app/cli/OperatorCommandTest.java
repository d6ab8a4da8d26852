package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bloomgate.app.gateway.ConfigurationSource;
import org.bloomgate.base.net.BearerToken;
import org.bloomgate.server.http.Operator;
import org.bloomgate.server.http.Role;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperatorCommandTest {
    @TempDir
    private Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void configure() throws IOException {
        file = Files.writeString(folder.resolve("bloomgate.yaml"), """
                http:
                  operators:
                    eve: { role: reader, token: "a-token-of-eve-here" }
                    app: { role: client, token: "a-token-of-the-app", checksPerSecond: 50 }
                """);
    }

    private Invocation run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("operator"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("-c", file.toString()));
        return Invocation.of("", all);
    }

    @Test
    void add_printsAnEntryForTheConfiguration() throws Exception {
        Invocation added = run("add", "ada", "--role", "quarantine");

        assertEquals(ExitStatus.FINE, added.status(), added::err);
        String token = added.err().strip().replaceFirst("token of ada, not shown again: ", "");
        assertTrue(token.matches("[0-9a-f]{32}"), added::err);
        Path other = Files.writeString(folder.resolve("other.yaml"), added.out());
        Map<String, Operator> operators =
                new ConfigurationSource(other, Map.of()).read().http().operators();
        assertEquals(Map.of("ada", new Operator(Role.QUARANTINE, BearerToken.configured(token), 0)), operators);
    }

    @ParameterizedTest
    @CsvSource({
        "eve, reader, http.operators.eve exists already",
        "admin, reader, NAME: a name is",
        "a b, reader, NAME: a name is",
        "ada, none, --role: write client",
        "ada, writer, Invalid value for option '--role'",
    })
    void add_refused(String name, String role, String reason) {
        Invocation refused = run("add", name, "--role", role);

        assertEquals(ExitStatus.MISTAKE, refused.status());
        assertTrue(refused.err().contains(reason), refused::err);
        assertEquals("", refused.out());
    }

    @Test
    void list_showsNoToken() {
        assertEquals(
                List.of("operator  role    checks per second", "app       client  50", "eve       reader"),
                run("list").out().lines().toList());
        assertEquals(
                "{\"name\":\"app\",\"role\":\"client\",\"checksPerSecond\":50}",
                run("list", "--json").out().lines().findFirst().orElseThrow());
    }
}
