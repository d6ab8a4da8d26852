package org.bloomgate.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FileStreamsTest {
    private final FileStreams streams = new FileStreams("messages");

    private Answer next() {
        return streams.limit(Answer.file("message/rfc822", new FileSlice(Path.of("x.eml"), new ByteRange(0, 1))));
    }

    @Test
    void oneBeyondTheBound_is503UntilAnotherIsDone() {
        List<Answer> sent = new ArrayList<>();
        for (int i = 0; i < FileStreams.MAX_STREAMS; i++) {
            sent.add(next());
            assertEquals(200, sent.getLast().status());
        }

        Answer refused = next();
        assertEquals(503, refused.status());
        assertTrue(refused.closes());
        assertTrue(refused.headers().stream()
                .anyMatch(header ->
                        header.name().equals("Retry-After") && header.get().equals("10")));
        refused.done();
        assertEquals(503, next().status());

        sent.getFirst().done();
        assertEquals(200, next().status());
        assertEquals(503, next().status());
    }
}
