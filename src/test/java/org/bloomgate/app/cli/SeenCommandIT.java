package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bloomgate.app.cli.common.ExitStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeenCommandIT {
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    private Path folder;

    private Invocation seen(RunningGateway gateway, String... arguments) {
        List<String> all = new ArrayList<>(List.of(
                "seen",
                "-c",
                folder.resolve("bloomgate.yaml").toString(),
                "--set",
                "http.listen=127.0.0.1:" + gateway.http("").getPort()));
        all.addAll(List.of(arguments));
        return Invocation.of("", all);
    }

    @Test
    void linkAndSenderOfDeliveredMessage_areSeen() throws Exception {
        try (RunningGateway gateway = RunningGateway.start(folder, "memory: { links: true, senders: true }\n")) {
            assertEquals("250", gateway.send("ann@partner.example", "http://www.new.example/"));

            JsonNode link =
                    JSON.readTree(seen(gateway, "www.NEW.example", "--json").out());
            assertEquals("new.example", link.path("name").asText());
            assertEquals(1, link.at("/link/messages").asInt());
            assertEquals(1, link.at("/link/recipients").asInt());
            assertTrue(link.at("/link/firstSeen").isTextual(), link::toString);
            assertEquals("[]", link.path("gateways").toString());
            assertEquals("[]", link.path("unanswered").toString());

            Invocation text = seen(gateway, "new.example");
            assertEquals(ExitStatus.FINE, text.status(), text::err);
            assertEquals("name       new.example", text.lines().getFirst());
            assertEquals("known      false", text.lines().get(1));
            assertTrue(text.lines().get(2).startsWith("link       domain new.example, firstSeen "), text::out);
            assertTrue(text.lines().get(2).endsWith(", messages 1, recipients 1"), text::out);
            assertEquals(
                    List.of("uncertain  links; senders", "gateways   none", "unanswered none"),
                    text.lines().subList(3, 6));

            Invocation sender = seen(gateway, "ann@partner.example");
            assertTrue(sender.lines().get(2).startsWith("sender     "), sender::out);

            assertEquals(ExitStatus.UNKNOWN, seen(gateway, "other.example").status(), "it is still learning");
            assertEquals(ExitStatus.MISTAKE, seen(gateway, "two words").status());
            assertEquals(
                    ExitStatus.UNKNOWN,
                    seen(gateway, "new.example", "--set", "http.adminToken=not-the-token-of-it")
                            .status());
        }
    }

    @Test
    void withoutMemory_nothingCanBeFoundOut() throws Exception {
        try (RunningGateway gateway = RunningGateway.start(folder)) {
            Invocation off = seen(gateway, "new.example");

            assertEquals(ExitStatus.UNKNOWN, off.status());
            assertTrue(off.out().contains("uncertain  links; senders\n"), off::out);
        }
    }

    @Test
    void noGateway_isNoAnswer() throws Exception {
        Path file = Files.writeString(folder.resolve("c.yaml"), "state: " + folder);

        Invocation none = Invocation.of(
                "", List.of("seen", "-c", file.toString(), "--set", "http.listen=127.0.0.1:1", "new.example"));

        assertEquals(ExitStatus.UNKNOWN, none.status());
        assertTrue(none.err().startsWith("bloomgate: no answer from http://127.0.0.1:1: "), none::err);
    }
}
