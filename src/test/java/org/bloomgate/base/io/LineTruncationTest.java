package org.bloomgate.base.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineTruncationTest {
    @TempDir
    Path folder;

    @Test
    void whatFollowsTheLastLineEndIsCutOff() throws IOException {
        String block = "x".repeat(4096);
        Map<String, String> wholeByText = Map.of(
                "",
                "",
                "one\n",
                "one\n",
                "one\ntwo\n",
                "one\ntwo\n",
                "one\ntw",
                "one\n",
                "on",
                "",
                "one\n" + block,
                "one\n",
                "one\n" + block + block + "x",
                "one\n",
                block + "\n" + block,
                block + "\n",
                block + block,
                "");
        Path file = folder.resolve("lines");
        for (Map.Entry<String, String> one : wholeByText.entrySet()) {
            Files.writeString(file, one.getKey());
            assertEquals(one.getKey().length() - one.getValue().length(), LineTruncation.truncate(file, 1 << 20));
            assertEquals(one.getValue(), Files.readString(file));
        }
    }
}
