package org.bloomgate.server.milter;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.ProtocolException;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.base.net.IpLiteral;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandReaderFormatTest {
    @Test
    void aNegotiationHasThreeWordsAndMayHaveMore() throws ProtocolException {
        Command.Negotiate wanted = new Command.Negotiate(6, 0x1ff, 0x1fffff);
        String words = "O\0\0\0\6\0\0\1\u00ff\0\u001f\u00ff\u00ff";
        assertEquals(wanted, read(words));
        assertEquals(wanted, read(words + "more"));
        assertThrows(ProtocolException.class, () -> read(words.substring(0, 12)));
    }

    @ParameterizedTest
    @CsvSource({
        "4, 192.0.2.7, 192.0.2.7",
        "4, [192.0.2.7], 192.0.2.7",
        "6, 2001:db8::7, 2001:db8::7",
        "6, IPv6:2001:db8::7, 2001:db8::7",
        "6, [2001:db8::7], 2001:db8::7",
        "6, [IPv6:2001:db8::7], 2001:db8::7",
        "6, ::ffff:192.0.2.7, 192.0.2.7"
    })
    void aClientHasAnAddress(char family, String written, String address) throws ProtocolException {
        assertEquals(
                new Command.Connect("client.example", IpLiteral.parse(address), 0xc001),
                read("Cclient.example\0" + family + "\u00c0\u0001" + written + "\0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"U", "L/run/socket\0", "4\0\0nonsense\0", "4\0\0\0", "4\0\0[]\0", "4\0\0[\0"})
    void aClientMayHaveNone(String family) throws ProtocolException {
        assertEquals(new Command.Connect("localhost", Optional.empty(), 0), read("Clocalhost\0" + family));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "C",
                "Chost",
                "Chost\0",
                "Chost\0X",
                "Chost\0004",
                "Chost\0004\0",
                "Chost\0004\0\0",
                "Chost\0006\0\0::1",
                "H",
                "Hname",
                "M",
                "M<>",
                "R",
                "R<a@b.example>",
                "L",
                "Lname",
                "Lname\0",
                "Lname\0value",
                "L\0value\0",
                "Lname\0va\0lue\0",
                "Lname\0value\0\0",
                "x",
                "\0",
                "\u00ff"
            })
    void whatIsNotWholeIsRefused(String frame) {
        assertThrows(ProtocolException.class, () -> read(frame));
    }

    @Test
    void anArgumentMayHaveItsBoundAndNoByteMore() throws ProtocolException {
        String longest = "x".repeat(CommandReader.MAX_ARGUMENT_BYTES);
        assertEquals(new Command.Mail(longest, ""), read("M" + longest + "\0SIZE=1\0"));
        assertThrows(ProtocolException.class, () -> read("M" + longest + "x\0"));
    }

    @Test
    void macrosAreReadAsFarAsTheyGo() throws ProtocolException {
        assertEquals(macros('M', Map.of("{auth_type}", "PLAIN")), read("DM{auth_type}\0PLAIN\0other\0x\0"));
        assertEquals(macros('M', Map.of("{auth_type}", "PLAIN")), read("DM{auth_type}\0PLAIN"));
        assertEquals(macros('M', Map.of("{auth_type}", "")), read("DM{auth_type}"));
        assertEquals(macros('Z', Map.of()), read("DZ\0\0\0"));
        assertEquals(macros('\0', Map.of()), read("D"));
    }

    @Test
    void macrosBehindTheBoundAreNotRead() throws ProtocolException {
        String filler = "x\0" + "y".repeat(CommandReader.MAX_MACRO_BYTES - 10) + "\0";
        assertEquals(macros('M', Map.of("i", "4AB")), read("DMi\0" + "4AB\0" + "x\0" + "y\0"));
        assertEquals(macros('M', Map.of("i", "4ABC")), read("DM" + filler + "i\0" + "4ABCDEF\0"));
        assertEquals(macros('M', Map.of()), read("DM" + filler + filler + "i\0" + "4\0"));
    }

    private static Command macros(char stage, Map<String, String> values) {
        return new Command.MacroValues((byte) stage, values);
    }

    private static Command read(String frame) throws ProtocolException {
        byte[] bytes = frame.getBytes(ISO_8859_1);
        return CommandReader.read(new Frame(bytes[0], bytes, 1, bytes.length));
    }
}
