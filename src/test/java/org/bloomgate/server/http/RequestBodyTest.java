package org.bloomgate.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RequestBodyTest {
    private static final Duration AMPLE = Duration.ofMinutes(1);

    private static RequestBody of(int bytes, long maxBytes, Duration timeout) {
        return new RequestBody(new ByteArrayInputStream(new byte[bytes]), maxBytes, timeout);
    }

    @Test
    void aBodyIsReadUpToItsBound() throws IOException {
        RequestBody body = of(1_000, 1_000, AMPLE);
        assertEquals(1_000, body.readAllBytes().length);
        assertEquals(1_000, body.count());
        body.throwFailure();
    }

    @Test
    void oneByteMoreIsTooLarge() {
        RequestBody body = of(1_001, 1_000, AMPLE);
        BodyException refused = assertThrows(BodyException.class, body::readAllBytes);
        assertEquals(413, refused.problem().status());
        assertSame(refused, assertThrows(BodyException.class, body::throwFailure), "and stays so");
        assertSame(refused, assertThrows(BodyException.class, body::read));
    }

    @Test
    void aBodyThatDoesNotEndInTimeIsATimeout() {
        RequestBody body = of(10, 1_000, Duration.ZERO);
        BodyException refused = assertThrows(BodyException.class, body::read);
        assertEquals(408, refused.problem().status());
    }

    @Test
    void aMalformedChunkIsAProblemOfTheBody() {
        RequestBody body = failing(new IllegalStateException("chunk"));
        BodyException refused = assertThrows(BodyException.class, body::read);
        assertEquals(400, refused.problem().status());
    }

    private static RequestBody failing(RuntimeException fault) {
        InputStream from = new InputStream() {
            @Override
            public int read() {
                throw fault;
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                throw fault;
            }
        };
        return new RequestBody(from, 1_000, AMPLE);
    }
}
