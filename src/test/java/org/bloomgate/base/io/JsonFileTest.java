package org.bloomgate.base.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonFileTest {
    private static final int MAX_BYTES = 200;
    private static final Content CONTENT =
            new Content(1, Instant.parse("2026-01-02T03:04:05Z"), Optional.empty(), Map.of("a", "b"));

    @TempDir
    private Path folder;

    private Path path = Path.of("");

    private record Content(int number, Instant at, Optional<String> text, Map<String, String> map) {}

    @BeforeEach
    void setUp() {
        path = folder.resolve("below", "state.json");
    }

    private JsonFile<Content> file() {
        return new JsonFile<>(path, MAX_BYTES, Content.class);
    }

    @Test
    void noFile_isEmpty() throws IOException {
        assertEquals(Optional.empty(), file().read());
    }

    @Test
    void content_isReadAsWritten() throws IOException {
        file().write(CONTENT);
        assertEquals(
                "{\"number\":1,\"at\":\"2026-01-02T03:04:05Z\",\"text\":null,\"map\":{\"a\":\"b\"}}",
                Files.readString(path));
        assertEquals(Optional.of(CONTENT), file().read());
        assertEquals(Optional.of(CONTENT), file().readOrRestart("counts start at zero"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "{",
                "{}",
                "[]",
                "{\"number\":1,\"at\":\"today\",\"text\":null,\"map\":{}}",
                "{\"number\":null,\"at\":\"2026-01-02T03:04:05Z\",\"text\":null,\"map\":{}}",
                "{\"number\":1,\"at\":null,\"text\":null,\"map\":{}}",
                "{\"number\":1,\"at\":\"2026-01-02T03:04:05Z\",\"map\":{}}",
                "{\"number\":1,\"at\":\"2026-01-02T03:04:05Z\",\"text\":null,\"map\":{\"a\":null}}",
                "{\"number\":1,\"number\":1,\"at\":\"2026-01-02T03:04:05Z\",\"text\":null,\"map\":{}}",
                "{\"number\":1,\"at\":\"2026-01-02T03:04:05Z\",\"text\":null,\"map\":{},\"more\":1}",
                "{\"number\":1,\"at\":\"2026-01-02T03:04:05Z\",\"text\":null,\"map\":{}}}"
            })
    void damagedFile_isNotRead(String damaged) throws IOException {
        file().write(CONTENT);
        Files.writeString(path, damaged);
        assertThrows(IOException.class, () -> file().read());
        assertEquals(Optional.empty(), file().readOrRestart("counts start at zero"));
        file().write(CONTENT);
        assertEquals(Optional.of(CONTENT), file().read());
    }

    @Test
    void fileBeyondTheBound_isNotRead() throws IOException {
        file().write(CONTENT);
        String text = Files.readString(path);
        Files.writeString(path, text + " ".repeat(MAX_BYTES - text.length()));
        assertEquals(Optional.of(CONTENT), file().read());
        Files.writeString(path, text + " ".repeat(MAX_BYTES - text.length() + 1));
        assertThrows(StateFile.RefusedException.class, () -> file().read());
    }

    @Test
    void lock_hasOneHolder() throws IOException {
        try (LockFile _ = file().tryLock().orElseThrow()) {
            assertEquals(Optional.empty(), file().tryLock());
            file().write(CONTENT);
        }
        List<Path> files;
        try (var all = Files.list(folder.resolve("below"))) {
            files = all.toList();
        }
        assertTrue(files.contains(path.resolveSibling(".state.json.lock")), files::toString);
        file().tryLock().orElseThrow().close();
    }
}
