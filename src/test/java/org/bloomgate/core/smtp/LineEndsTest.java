package org.bloomgate.core.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineEndsTest {
    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "a, a",
        "rn, RN",
        "r, RN",
        "n, RN",
        "rr, RNRN",
        "rrn, RNRN",
        "nr, RNRN",
        "rnrn, RNRN",
        "arbnc, aRNbRNc",
        "nrn, RNRN",
        "rnn, RNRN",
        "ar, aRN"
    })
    void everyLineEndIsCrlf(String text, String normalised) throws IOException {
        String in = text.replace('r', '\r').replace('n', '\n');
        String wanted = normalised.replace("RN", "\r\n");
        for (int piece = 1; piece <= 4; piece++) {
            assertEquals(wanted, inPieces(in, piece));
        }
        assertEquals(wanted, new String(stream(in).readAllBytes(), ISO_8859_1));
    }

    @Test
    void aStreamIsTheSameAsPiecesWhateverIsReadAtATime() throws IOException {
        Random random = new Random(5);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 100_000; i++) {
            text.append("\r\nab".charAt(random.nextInt(4)));
        }
        String whole = inPieces(text.toString(), text.length());
        assertEquals(whole, inPieces(text.toString(), 7));
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        try (InputStream in = stream(text.toString())) {
            byte[] some = new byte[100];
            for (int count = in.read(some, 0, 1 + random.nextInt(99)); count >= 0; count = in.read(some, 0, 99)) {
                read.write(some, 0, count);
                int one = in.read();
                if (one >= 0) {
                    read.write(one);
                }
            }
        }
        assertEquals(whole, read.toString(ISO_8859_1));
    }

    private static InputStream stream(String text) {
        return LineEnds.normalised(new ByteArrayInputStream(text.getBytes(ISO_8859_1)));
    }

    private static String inPieces(String text, int piece) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LineEnds ends = new LineEnds();
        LineEnds.Sink sink = (from, start, end) -> out.write(from, start, end - start);
        for (int at = 0; at < bytes.length; at += piece) {
            ends.write(bytes, at, Math.min(bytes.length, at + piece), sink);
        }
        ends.finish(sink);
        return out.toString(ISO_8859_1);
    }
}
