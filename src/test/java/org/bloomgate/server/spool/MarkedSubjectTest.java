package org.bloomgate.server.spool;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import org.bloomgate.server.nexthop.MessageBytes;
import org.bloomgate.server.smtp.BytesInMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MarkedSubjectTest {
    private static final String PREFIX = "[SUSPECT]";

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, textBlock = """
            Subject: x\\r\\n\\r\\nbody|Subject: [SUSPECT] x\\r\\n\\r\\nbody
            Subject:x\\r\\n|Subject: [SUSPECT] x\\r\\n
            Subject:\\r\\n\\r\\n|Subject: [SUSPECT]\\r\\n\\r\\n
            Subject:|Subject: [SUSPECT]
            Subject:   x  \\r\\n|Subject: [SUSPECT]   x  \\r\\n
            A: b\\r\\nsUBJECT\\x09:\\x09x\\r\\nSubject: y\\r\\n|A: b\\r\\nsUBJECT\\x09: [SUSPECT]\\x09x\\r\\nSubject: [SUSPECT] y\\r\\n
            Subject:\\r\\nA: b\\r\\nSubject: [SUSPECT] x\\r\\nSubject: y\\r\\n\\r\\nz|Subject: [SUSPECT]\\r\\nA: b\\r\\nSubject: [SUSPECT] x\\r\\nSubject: [SUSPECT] y\\r\\n\\r\\nz
            Subject:\\r\\n folded\\r\\n\\x09twice\\r\\nA: b\\r\\n|Subject: [SUSPECT]\\r\\n folded\\r\\n\\x09twice\\r\\nA: b\\r\\n
            Subject: =?utf-8?B?w7w=?=\\r\\n =?utf-8?Q?=C3?=\\r\\n|Subject: [SUSPECT] =?utf-8?B?w7w=?=\\r\\n =?utf-8?Q?=C3?=\\r\\n
            Subject: \\xc3\\xbc\\xff\\0\\r\\n|Subject: [SUSPECT] \\xc3\\xbc\\xff\\0\\r\\n
            Subject: Re: [SUSPECT] x\\r\\n|Subject: [SUSPECT] Re: [SUSPECT] x\\r\\n
            A: b\\r\\n Subject: c\\r\\nSubject: x\\r\\n|A: b\\r\\n Subject: c\\r\\nSubject: [SUSPECT] x\\r\\n
            """)
    void prefix_isAfterTheColonOfEachSubject(String message, String expected) throws IOException {
        assertEquals(bytes(expected), marked(bytes(message)).orElseThrow());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, textBlock = """
            Subject: [SUSPECT] x\\r\\n|
            Subject:[SUSPECT]\\r\\n|
            Subject:\\r\\n [SUSPECT] x\\r\\n|
            """)
    void itIsNotSetTwice(String message) throws IOException {
        assertEquals(bytes(message), marked(bytes(message)).orElseThrow());
        String once = marked("Subject: x\r\n").orElseThrow();
        assertEquals(once, marked(once).orElseThrow());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, textBlock = """
            A: b\\r\\n|
            A: b\\r\\n\\r\\nSubject: x\\r\\n|
            \\r\\nSubject: x\\r\\n|
            Subject|
            Subject-Line: x\\r\\n|
            Subject x: y\\r\\n|
             Subject: x\\r\\n|
            """)
    void elsewhereThereIsNoSubject(String message) throws IOException {
        assertEquals(Optional.empty(), marked(bytes(message)));
        assertEquals(Optional.empty(), marked(""));
    }

    @Test
    void aLineThatWouldGetTooLongIsFoldedAfterThePrefix() throws IOException {
        String fits = "x".repeat(998 - "Subject: [SUSPECT] ".length());
        assertEquals(
                "Subject: [SUSPECT] " + fits + "\r\n",
                marked("Subject: " + fits + "\r\n").orElseThrow());
        assertEquals(
                "Subject: [SUSPECT]\r\n " + fits + "y\r\n",
                marked("Subject: " + fits + "y\r\n").orElseThrow());
        assertEquals(
                "Subject: [SUSPECT]\r\n " + fits + "yy\r\n",
                marked("Subject:" + fits + "yy\r\n").orElseThrow());
    }

    /// Fields of a random header, each with what it becomes.
    @Test
    void header_ofAnyFields_hasEachSubjectMarked() throws IOException {
        List<String[]> fields = List.of(
                new String[] {"Subject:\r\n", "Subject: [SUSPECT]\r\n"},
                new String[] {"Subject: \r\n \r\n", "Subject: [SUSPECT] \r\n \r\n"},
                new String[] {"subject : a\r\n Subject: b\r\n", "subject : [SUSPECT] a\r\n Subject: b\r\n"},
                new String[] {"SUBJECT:c\r\n", "SUBJECT: [SUSPECT] c\r\n"},
                new String[] {"Subject: [SUSPECT] d\r\n", "Subject: [SUSPECT] d\r\n"},
                new String[] {"X-Subject: e\r\n", "X-Subject: e\r\n"},
                new String[] {"To: f\r\n", "To: f\r\n"});
        Random random = new Random(5322);
        for (int i = 0; i < 2_000; i++) {
            StringBuilder message = new StringBuilder();
            StringBuilder expected = new StringBuilder();
            boolean hasSubject = false;
            for (int left = random.nextInt(6); left > 0; left--) {
                String[] field = fields.get(random.nextInt(fields.size()));
                message.append(field[0]);
                expected.append(field[1]);
                hasSubject |= field[1].contains("[SUSPECT]");
            }
            String body = "\r\nSubject: body\r\n";
            assertEquals(
                    hasSubject ? Optional.of(expected + body) : Optional.empty(),
                    marked(message + body),
                    expected::toString);
        }
    }

    @Test
    void aSubjectBelowAHugeHeaderIsLeftAlone() throws IOException {
        String padding = "A: b\r\n".repeat(MarkedSubject.MAX_HEADER_BYTES / 6);
        assertEquals(Optional.empty(), marked(padding + "Subject: x\r\n"));
        assertEquals(
                Optional.of("Subject: [SUSPECT] a\r\n" + padding + "Subject: x\r\n"),
                marked("Subject: a\r\n" + padding + "Subject: x\r\n"));
    }

    private static Optional<String> marked(String message) throws IOException {
        Optional<MessageBytes> marked =
                MarkedSubject.insertPrefix(new BytesInMemory(message.getBytes(ISO_8859_1)), PREFIX);
        if (marked.isEmpty()) {
            return Optional.empty();
        }
        try (InputStream bytes = marked.get().open()) {
            byte[] all = bytes.readAllBytes();
            assertEquals(marked.get().sizeBytes(), all.length);
            assertEquals(
                    new String(all, ISO_8859_1).endsWith("\r\n"), marked.get().endsWithCrlf());
            return Optional.of(new String(all, ISO_8859_1));
        }
    }

    private static String bytes(String text) {
        return Pattern.compile("\\\\x([0-9a-f]{2})")
                .matcher(text)
                .replaceAll(b -> String.valueOf((char) Integer.parseInt(b.group(1), 16)))
                .translateEscapes();
    }
}
