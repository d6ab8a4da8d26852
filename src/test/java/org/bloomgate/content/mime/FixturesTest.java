package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.core.limit.MessageLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whole messages (`*.eml`), each with its expectation beside it (`*.expect`): `PLACE host`, `limit NAME`, or
/// `identifiers COUNT`.
class FixturesTest {
    private static final Path MESSAGES = Path.of("src/test/resources/messages");

    static Stream<String> messages() throws IOException {
        try (Stream<Path> files = Files.list(MESSAGES)) {
            List<String> names = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".eml"))
                    .sorted()
                    .toList();
            return names.stream();
        }
    }

    @ParameterizedTest
    @MethodSource("messages")
    void everythingExpectedIsFound(String name) throws IOException {
        ReadMessage read = ReadMessage.of(Files.readAllBytes(MESSAGES.resolve(name)));
        Set<String> limits = new HashSet<>();
        for (String line : Files.readAllLines(MESSAGES.resolve(name.replace(".eml", ".expect")))) {
            int blank = line.indexOf(' ');
            String place = line.substring(0, blank);
            String value = line.substring(blank + 1);
            switch (place) {
                case "limit" -> limits.add(value);
                case "identifiers" ->
                    assertEquals(Integer.parseInt(value), read.identifiers().size(), () -> "" + read);
                default -> assertTrue(read.agrees(place, value), () -> line + ": " + read.identifiers());
            }
        }
        assertEquals(limits, read.limits());
    }

    @Test
    void whatAReaderHasReadBeforeChangesNothing() throws IOException {
        MessageReader used = reader();
        for (String name : messages().toList()) {
            byte[] message = Files.readAllBytes(MESSAGES.resolve(name));
            assertEquals(ReadMessage.of(message, reader()), ReadMessage.of(message, used), name);
        }
    }

    private static MessageReader reader() {
        return new MessageReader(MessageLimits.defaults());
    }
}
