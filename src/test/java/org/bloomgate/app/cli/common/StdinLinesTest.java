package org.bloomgate.app.cli.common;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StdinLinesTest {
    private static List<String> lines(byte[] stdin, Charset of) throws IOException {
        StdinLines lines = new StdinLines(new ByteArrayInputStream(stdin));
        List<String> all = new ArrayList<>();
        for (Optional<byte[]> line = lines.next(); line.isPresent(); line = lines.next()) {
            all.add(new String(line.get(), of));
        }
        return all;
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(content);
        }
        return packed.toByteArray();
    }

    @Test
    void lines_areTheSameInEachEncodingAndPacking() throws IOException {
        for (List<String> values : List.of(
                List.of("evil.example", "", "b\u00fccher.example", "\u4f8b.example"), List.of("x"), List.of("", "x"))) {
            for (String end : List.of("", "\n")) {
                String text = String.join("\n", values) + end;
                assertEquals(values, lines(text.getBytes(UTF_8), UTF_8), text);
                assertEquals(values, lines(gzip(text.getBytes(UTF_8)), UTF_8), text);
                for (Charset wide : List.of(UTF_16LE, UTF_16BE)) {
                    byte[] marked = ("\ufeff" + text).getBytes(wide);
                    assertEquals(values, lines(marked, UTF_8), text + wide);
                    assertEquals(values, lines(gzip(marked), UTF_8), text + wide);
                    if (!values.getFirst().isEmpty()) {
                        assertEquals(values, lines(text.getBytes(wide), UTF_8), text + wide);
                    }
                }
            }
        }
    }

    @Test
    void value_mayContainEveryByteButTheLineEnd() throws IOException {
        StringBuilder all = new StringBuilder("ab");
        for (char c = 0; c < 256; c++) {
            all.append(c == '\n' ? "" : c);
        }
        assertEquals(List.of(all.toString()), lines(all.toString().getBytes(ISO_8859_1), ISO_8859_1));
        assertEquals(List.of(), lines(new byte[0], UTF_8));
    }

    /// A client that waits for the answer to a line gets it.
    @Test
    @Timeout(10)
    void line_isReadBeforeTheNextOneComes() throws IOException {
        for (String first : List.of("a.example\n", "a\n", "\n")) {
            try (PipedOutputStream client = new PipedOutputStream();
                    PipedInputStream stdin = new PipedInputStream(client)) {
                client.write(first.getBytes(UTF_8));
                client.flush();
                assertEquals(
                        first.strip(), new String(new StdinLines(stdin).next().orElseThrow(), UTF_8));
            }
        }
    }
}
