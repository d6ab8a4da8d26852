package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.gateway.options.ConfigurationSource;
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
                local: { directory: FOLDER/local }
                """.replace("FOLDER", folder.toString()));
    }

    private Invocation run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("operator"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("-c", file.toString()));
        return Invocation.of("", all);
    }

    private Map<String, Operator> operators() throws Exception {
        return new ConfigurationSource(file, Map.of()).read().http().operators();
    }

    @Test
    void add_writesTheDigestAndPrintsTheToken() throws Exception {
        Invocation added = run("add", "ada", "--role", "quarantine");

        assertEquals(ExitStatus.FINE, added.status(), added::err);
        String token = added.out().strip();
        assertTrue(token.matches("[0-9a-f]{32}"), added::out);
        assertTrue(added.err().contains("systemctl reload bloomgate"), added::err);
        assertEquals(
                new Operator(Role.QUARANTINE, BearerToken.toConfigured(token), 0),
                operators().get("ada"));
        Path written = folder.resolve("conf.d/operators.yaml");
        assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(written)));
        assertFalse(Files.readString(written).contains(token));

        run("add", "1.e", "--role", "client");
        run("remove", "ada");

        assertEquals(Set.of("1.e", "app", "eve"), operators().keySet());
        run("remove", "1.e");
        assertEquals(Set.of("app", "eve"), operators().keySet());
    }

    @Test
    void print_writesNothing() throws Exception {
        Invocation printed = run("add", "ada", "--role", "quarantine", "--print");

        String token = printed.err().strip().replaceFirst("bloomgate: token of ada, not shown again: ", "");
        assertTrue(token.matches("[0-9a-f]{32}"), printed::err);
        assertFalse(Files.exists(folder.resolve("conf.d")));
        file = Files.writeString(folder.resolve("other.yaml"), printed.out());
        assertEquals(Map.of("ada", new Operator(Role.QUARANTINE, BearerToken.toConfigured(token), 0)), operators());
    }

    @Test
    void remove_namesThePlaceOfAnotherFile() {
        Invocation refused = run("remove", "eve");

        assertEquals(ExitStatus.MISTAKE, refused.status());
        assertEquals(
                "bloomgate: " + file + ":3 contains eve; remove it there",
                refused.err().strip());
        assertTrue(run("remove", "bob").err().contains("no such operator: bob"));
    }

    @Test
    void folderThatCannotBeWritten_isNamedWithTheWayOut() throws Exception {
        Files.writeString(folder.resolve("conf.d"), "in the way");

        Invocation refused = run("add", "ada", "--role", "reader");

        assertEquals(ExitStatus.MISTAKE, refused.status());
        assertTrue(refused.err().contains("cannot write " + folder.resolve("conf.d/operators.yaml")), refused::err);
        assertTrue(refused.err().contains("--print"), refused::err);
        assertEquals("", refused.out());
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
                List.of("app\tclient\t50", "eve\treader\t"),
                run("list").out().lines().toList());
        assertEquals(
                "{\"name\":\"app\",\"role\":\"client\",\"checksPerSecond\":50}",
                run("list", "--json").out().lines().findFirst().orElseThrow());
    }
}
