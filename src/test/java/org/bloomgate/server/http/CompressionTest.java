package org.bloomgate.server.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompressionTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "gzip",
                "GZIP",
                "x-gzip",
                "br, gzip",
                "gzip;q=1.0, identity; q=0.5",
                "gzip; q=0.001",
                "*",
                "*;q=0.1",
                "identity, *",
                "br;q=1.0, gzip;q=0.8, *;q=0.1",
                "*;q=0, gzip"
            })
    void field_acceptsGzip(String field) {
        assertTrue(Compression.isAccepted(field));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "identity",
                "br",
                "gzip;q=0",
                "gzip;q=0.000",
                "gzip;q=x",
                "gzip;q",
                "gzip;q=0.0001",
                "gzip;q=2",
                "gzipped",
                "*;q=0",
                "*, gzip;q=0"
            })
    void field_doesNotAcceptGzip(String field) {
        assertFalse(Compression.isAccepted(field));
    }

    @Test
    void text_isCompressedFromTheBoundOn() {
        byte[] atBound = new byte[Compression.MIN_BYTES];
        assertTrue(Compression.appliesTo(Answer.json(atBound)));
        assertFalse(Compression.appliesTo(Answer.json(new byte[Compression.MIN_BYTES - 1])));
        assertTrue(Compression.appliesTo(Answer.bytes("text/plain", atBound)));
        assertFalse(Compression.appliesTo(Answer.bytes("application/octet-stream", atBound)));
        FileSlice file = new FileSlice(Path.of("domain.bloom"), new ByteRange(0, 1 << 20));
        assertFalse(Compression.appliesTo(Answer.file("application/json", file)));
    }

    @Test
    void gzip_isReadBackByteForByte() throws IOException {
        byte[] body = "{\"domain\":\"evil.example\"}".repeat(1_000).getBytes(java.nio.charset.StandardCharsets.UTF_8);
        byte[] packed = Compression.gzip(body);
        assertTrue(packed.length < body.length / 10);
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            assertArrayEquals(body, in.readAllBytes());
        }
    }

    @Test
    void packedAnswer_isCompressedOnce() {
        byte[] body = new byte[Compression.MIN_BYTES];
        Answer packed = Answer.json(body).packed();
        assertSame(
                packed.gzipped(),
                packed.with("X-More", "x").as(201).then(() -> {}).gzipped());
        assertArrayEquals(Compression.gzip(body), packed.gzipped());
        assertSame(body, packed.body());
        Answer other = Answer.json(body);
        assertNotSame(other.gzipped(), other.gzipped());
        Answer small = Answer.json(new byte[Compression.MIN_BYTES - 1]);
        assertSame(small, small.packed());
    }

    @Test
    void tag_isWeakened() {
        assertEquals("W/\"a\"", Compression.weak("\"a\""));
        assertEquals("W/\"a\"", Compression.weak("W/\"a\""));
    }
}
