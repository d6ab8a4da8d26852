package org.bloomgate.server.milter;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.net.ProtocolException;
import java.util.HexFormat;
import java.util.List;
import org.bloomgate.core.smtp.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MilterResponseFormatTest {
    @Test
    void everyAnswerHasItsBytes() {
        assertEquals("0000000163", hex(MilterResponse.CONTINUE));
        assertEquals("0000000164", hex(MilterResponse.DISCARD));
        assertEquals("0000000174", hex(MilterResponse.DEFER));
        assertEquals("0000000170", hex(MilterResponse.PROGRESS));
        assertEquals("000000062d3c61403e00", hex(MilterResponse.removeRecipient("<a@>")));
        assertEquals("0000000a6900000000410020620" + "0", hex(MilterResponse.insert("A", " b")));
        assertEquals("000000086d00000002410000", hex(MilterResponse.change(2, "A", "")));
    }

    @Test
    void percentSignsComeInPairsAndLinesApart() {
        assertEquals("y550 5.7.1 100%% sure\0", text(MilterResponse.reply(Reply.of(550, "5.7.1", "100% sure"))));
        assertEquals(
                "y550-5.7.1 a\r\n550 5.7.1 b\0",
                text(MilterResponse.reply(new Reply(550, List.of("5.7.1 a", "5.7.1 b")))));
    }

    @ParameterizedTest
    @CsvSource({
        "6, 1ff, 1fffff, 6, 119, 1d23c0",
        "7, ffffffff, ffffffff, 6, 119, 1d23c0",
        "2, 1f, 7f, 2, 19, 40",
        "4, 3f, 3ff, 4, 19, 3c0",
        "6, 0, 0, 6, 0, 0"
    })
    void onlyWhatIsOfferedIsAskedFor(
            int version, String actions, String steps, int ours, String wantedActions, String wantedSteps)
            throws ProtocolException {
        Negotiation negotiation = Negotiation.with(new Command.Negotiate(version, word(actions), word(steps)));
        assertEquals(new Negotiation(ours, word(wantedActions), word(wantedSteps)), negotiation);
        assertEquals(negotiation.findMissing().isEmpty(), (word(actions) & 0x19) == 0x19);
    }

    private static int word(String hex) {
        return Integer.parseUnsignedInt(hex, 16);
    }

    private static byte[] bytes(MilterResponse answer) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        answer.writeTo(out);
        return out.toByteArray();
    }

    private static String hex(MilterResponse answer) {
        return HexFormat.of().formatHex(bytes(answer));
    }

    private static String text(MilterResponse answer) {
        return new String(bytes(answer), ISO_8859_1).substring(4);
    }
}
