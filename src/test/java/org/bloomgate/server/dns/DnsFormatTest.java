package org.bloomgate.server.dns;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Questions and answers byte by byte; the bytes stand in `src/test/resources/dns`.
class DnsFormatTest {
    private static final Path RESOURCES = Path.of("src/test/resources/dns");
    private static final Pattern LABEL = Pattern.compile("\\{(\\d+)}");

    static Stream<List<String>> questions() throws IOException {
        return rows("questions.tsv");
    }

    static Stream<List<String>> answers() throws IOException {
        return rows("answers.tsv");
    }

    private static Stream<List<String>> rows(String file) throws IOException {
        return Files.readAllLines(RESOURCES.resolve(file)).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> List.of(line.split("\t", -1)));
    }

    /// Blanks are for the reader, `{63}` is a label of this many bytes.
    static byte[] bytes(String hex) {
        String whole = LABEL.matcher(hex).replaceAll(label -> {
            int length = Integer.parseInt(label.group(1));
            return HexFormat.of().toHexDigits((byte) length) + "61".repeat(length);
        });
        return HexFormat.of().parseHex(whole.replace(" ", ""));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("questions")
    void aQuestionIsReadOrNot(List<String> row) {
        byte[] bytes = bytes(row.get(1));
        assertEquals(row.get(2), new Question().read(bytes, bytes.length).name().toLowerCase(Locale.ROOT));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("answers")
    void anAnswerIsWrittenSo(List<String> row) {
        byte[] answer = new Asking(new ListedHosts().lists("bad.example").inForce())
                .bytes(bytes(row.get(1)), Asking.CLIENT, Transport.UDP);
        assertEquals(HexFormat.of().formatHex(bytes(row.get(2))), HexFormat.of().formatHex(answer));
    }

    /// What was read before leaves no trace in what is read from a part of it.
    @ParameterizedTest(name = "{0}")
    @MethodSource("questions")
    void noQuestionIsReadTheSameWhenItIsCut(List<String> row) {
        byte[] whole = bytes(row.get(1));
        Question question = new Question();
        Question.Reading expected = question.read(whole, whole.length);
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = java.util.Arrays.copyOf(whole, length);
            Question.Reading alone = new Question().read(cut, length);
            assertEquals(alone, question.read(cut, length));
            boolean needed = row.get(2).equals("read") && !row.getFirst().startsWith("a transfer");
            assertTrue(alone != Question.Reading.READ || !needed, () -> cut.length + " bytes were enough");
        }
        assertEquals(expected, question.read(whole, whole.length));
    }

    @Test
    void aLimitedQuestionIsToldToComeByTcp() {
        Asking asking = new Asking(new ListedHosts().lists("bad.example").inForce());
        assertArrayEquals(
                bytes("1234 8700 0001 0000 0000 0000 0364626c 00 0001 0001"),
                asking.slip(bytes("1234 0100 0001 0000 0000 0000 0364626c 00 0001 0001")));
        assertEquals(0, asking.slip(bytes("1234 8100 0001 0000 0000 0000 0364626c 00 0001 0001")).length);
    }
}
