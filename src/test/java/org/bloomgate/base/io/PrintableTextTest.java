package org.bloomgate.base.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTextTest {
    @ParameterizedTest
    @ValueSource(
            chars = {
                0, 7, 8, 0x1b, 0x7f, 0x80, 0x9b, 0x9f, 0x61c, 0x200e, 0x202a, 0x202e, 0x2028, 0x2029, 0x2066, 0x2069
            })
    void whatChangesATerminalIsEscaped(char c) {
        assertEquals(String.format("a\\u%04xb", (int) c), PrintableText.of("a" + c + "b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "Grüße, 你好", "two\nlines\twith tabs", "mail\r\nlines", "\u00a0"})
    void otherTextIsTheSameObject(String text) {
        assertSame(text, PrintableText.of(text));
    }

    @Test
    void aCarriageReturnAloneWouldOverwriteALine() {
        assertEquals("a\\u000db", PrintableText.of("a\rb"));
    }

    @Test
    void aWriterEscapesWhateverIsWritten() {
        StringWriter to = new StringWriter();
        PrintWriter writer = new PrintWriter(PrintableText.writer(to));
        writer.print('\u001b');
        writer.print("[2J");
        writer.write(new char[] {'x', '\u009b'}, 1, 1);
        writer.flush();
        assertEquals("\\u001b[2J\\u009b", to.toString());
    }
}
