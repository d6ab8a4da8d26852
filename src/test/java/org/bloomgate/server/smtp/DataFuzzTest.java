package org.bloomgate.server.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bloomgate.Rounds;
import org.bloomgate.server.nexthop.DotStuffer;
import org.junit.jupiter.api.Test;

/// What goes into DATA and out to a next hop, beside a second reading of RFC 5321 by regular expressions.
///
/// Jazzer goes further: `mvn -Pfuzz test -Dfuzz=org.bloomgate.server.smtp.DataFuzzTest -Dfuzz.corpus=data`.
class DataFuzzTest {
    static final int ROUNDS = Rounds.of(200_000);

    private static final Pattern STRICT_END = Pattern.compile("\r\n\\.\r\n");
    private static final Pattern LENIENT_END = Pattern.compile("(\\A|\r\n|\n|\r)\\.(\r\n|\n|\r)");
    private static final List<String> SEEDS = EndOfData.all().stream()
            .map(s -> EndOfData.BEFORE + s.bytes() + EndOfData.AFTER)
            .toList();

    @Test
    void corpusInput_isReadAsByTheOracle() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/test/resources/fuzz/data"))) {
            for (Path file : files.toList()) {
                fuzzerTestOneInput(Files.readAllBytes(file));
            }
        }
    }

    @Test
    void changedInput_isReadAsByTheOracle() {
        ByteMutator mutator = new ByteMutator(20260104);
        for (int round = 0; round < ROUNDS; round++) {
            fuzzerTestOneInput(ByteMutator.bytes(mutator.changed(mutator.oneOf(SEEDS), SEEDS)));
        }
    }

    /// @param wire what a client sends after DATA
    public static void fuzzerTestOneInput(byte[] wire) {
        String text = new String(wire, ISO_8859_1);
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        DataScanner scanner = new DataScanner((bytes, from, to) -> message.write(bytes, from, to - from));
        int taken = scanned(scanner, wire);
        int end = endOfData(text);
        assertEquals(end >= 0, scanner.ended(), text);
        if (scanner.ended()) {
            assertEquals(end, taken, text);
            String expected = message(text.substring(0, end));
            assertEquals(expected, message.toString(ISO_8859_1));
            assertEquals(
                    expected.isEmpty() ? ".\r\n" : restuffed(expected) + ".\r\n", stuffed(message.toByteArray()), text);
        }
    }

    /// In blocks whose sizes the bytes choose themselves, so that one input is always cut in the same way.
    private static int scanned(DataScanner scanner, byte[] wire) {
        int at = 0;
        while (at < wire.length && !scanner.ended()) {
            int block = 1 + ((wire[at] & 0xff) * 31 + at) % 97;
            at = scanner.scan(wire, at, Math.min(wire.length, at + block));
        }
        return at;
    }

    /// The position after CRLF.CRLF, or after a terminator that is all; -1 when DATA goes on.
    static int endOfData(String wire) {
        if (wire.startsWith(".\r\n")) {
            return 3;
        }
        Matcher end = STRICT_END.matcher(wire);
        return end.find() ? end.end() : -1;
    }

    /// The message in a body with its terminator: every line end is CRLF, and a dot is removed where CRLF came
    /// before.
    static String message(String body) {
        StringBuilder message = new StringBuilder();
        String before = "\r\n";
        Matcher line = Pattern.compile("([^\r\n]*)(\r\n|\r|\n)").matcher(body.substring(0, body.length() - 3));
        while (line.find()) {
            String text = line.group(1);
            message.append(before.equals("\r\n") && text.startsWith(".") ? text.substring(1) : text)
                    .append("\r\n");
            before = line.group(2);
        }
        return message.toString();
    }

    private static String restuffed(String message) {
        return message.replaceAll("(?<=\\A|\r\n)\\.", "..");
    }

    /// What a next hop gets; even one that takes a bare CR or LF for a line end sees its end once, at the end.
    private static String stuffed(byte[] message) {
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            DotStuffer stuffer = new DotStuffer(out);
            stuffer.write(message, 0, message.length);
            stuffer.finish();
            String wire = out.toString(ISO_8859_1);
            Matcher end = LENIENT_END.matcher(wire);
            assertTrue(end.find());
            assertEquals(wire.length(), end.end());
            assertFalse(end.find());
            return wire;
        } catch (IOException bareLineEnd) {
            throw new UncheckedIOException(bareLineEnd);
        }
    }
}
