package org.bloomgate.server.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import org.bloomgate.base.net.IpLiteral;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyHeaderFormatTest {
    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";
    private static final String BEHIND = "EHLO";

    @ParameterizedTest
    @CsvSource({
        "PROXY TCP4 192.0.2.7 192.0.2.25 4321 25, 192.0.2.7, 4321",
        "PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535, 255.255.255.255, 65535",
        "PROXY TCP6 2001:db8::7 2001:db8::25 4321 25, 2001:db8:0:0:0:0:0:7, 4321",
        "PROXY TCP6 ::ffff:192.0.2.7 ::1 0 25, 192.0.2.7, 0"
    })
    void aLineNamesTheClient(String line, String address, int port) throws IOException {
        assertEquals(Optional.of(new Peer(IpLiteral.parse(address), port, "")), read(line + "\r\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PROXY UNKNOWN\r\n", "PROXY UNKNOWN ffff::1 whatever 1 2\r\n"})
    void aLineMayNotKnow(String line) throws IOException {
        assertEquals(Optional.empty(), read(line));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "EHLO client.example\r\n",
                "PROXY\r\nEHLO client.example\r\n",
                "proxy TCP4 192.0.2.7 192.0.2.25 4321 25\r\n",
                "PROXY TCP5 192.0.2.7 192.0.2.25 4321 25\r\n",
                "PROXY TCP4 192.0.2.7 192.0.2.25 4321\r\n",
                "PROXY TCP4 192.0.2.7 192.0.2.25 4321 25 \r\n",
                "PROXY TCP4  192.0.2.7 192.0.2.25 4321 25\r\n",
                "PROXY TCP4 192.0.2.7 192.0.2.25 4321 65536\r\n",
                "PROXY TCP4 192.0.2.7 192.0.2.25 99999 25\r\n",
                "PROXY TCP4 192.0.2.7 client.example 4321 25\r\n",
                "PROXY TCP4 192.0.2 192.0.2.25 4321 25\r\n",
                "PROXY TCP4 192.0.2.07 192.0.2.25 4321 25\r\n",
                "PROXY TCP4 192.0.2.256 192.0.2.25 4321 25\r\n",
                "PROXY TCP4 2001:db8::7 2001:db8::25 4321 25\r\n",
                "PROXY TCP6 192.0.2.7 192.0.2.25 4321 25\r\n",
                "PROXY TCP6 2001:db8::7%lo 2001:db8::25 4321 25\r\n",
                "PROXY TCP4 192.0.2.7 192.0.2.25 4321 25\n",
                "PROXY TCP4 192.0.2.7 192.0.2.25 4321 25\rX\n",
                "PROXY UNKNOWN\n"
            })
    void aMalformedLineIsRefused(String line) {
        assertThrows(ProtocolException.class, () -> read(line));
    }

    @Test
    void aLineEndsWithItsHundredAndSeventhByte() throws IOException {
        String longest = "PROXY UNKNOWN " + "x".repeat(91);
        assertEquals(Optional.empty(), read(longest + "\r\n"));
        assertThrows(ProtocolException.class, () -> read(longest + "x\r\n"));
        assertThrows(ProtocolException.class, () -> read("PROXY UNKNOWN " + "x".repeat(10_000)));
    }

    @ParameterizedTest
    @CsvSource({
        "2111000cc0000207c000021910e10019, 192.0.2.7, 4321",
        "21110013c0000207c000021910e1001904000401020304, 192.0.2.7, 4321",
        "2121002420010db800000000000000000000000720010db800000000000000000000002510e10019,"
                + " 2001:db8:0:0:0:0:0:7, 4321",
        "2121002400000000000000000000ffffc000020700000000000000000000000000000001ffff0019, 192.0.2.7, 65535"
    })
    void aBinaryHeaderNamesTheClient(String rest, String address, int port) throws IOException {
        assertEquals(Optional.of(new Peer(IpLiteral.parse(address), port, "")), read(binary(rest)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"20000000", "2011000cc0000207c000021910e10019", "21000000", "21310004abcdef01"})
    void aBinaryHeaderMayNameNobody(String rest) throws IOException {
        assertEquals(Optional.empty(), read(binary(rest)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1111000cc0000207c000021910e10019",
                "2211000cc0000207c000021910e10019",
                "2112000cc0000207c000021910e10019",
                "2141000cc0000207c000021910e10019",
                "2111000bc0000207c000021910e100",
                "2121000cc0000207c000021910e10019",
                "21110801",
                "2111ffff"
            })
    void aMalformedBinaryHeaderIsRefused(String rest) {
        assertThrows(ProtocolException.class, () -> read(binary(rest)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2111", "2111000c", "2111000cc0000207"})
    void aHeaderThatBreaksOffIsNone(String rest) {
        InputStream in = new ByteArrayInputStream(HexFormat.of().parseHex(SIGNATURE + rest));
        assertThrows(EOFException.class, () -> ProxyHeader.read(in));
        assertThrows(EOFException.class, () -> ProxyHeader.read(stream("PROXY TCP4 192.0.2.7")));
        assertThrows(EOFException.class, () -> ProxyHeader.read(stream("PRO")));
    }

    /// Seeded: whatever the bytes, the answer is a peer, nobody or one of two exceptions.
    @Test
    void randomBytesAreAnswered() {
        Random random = new Random(20260102);
        String[] starts = {"", "PROXY ", "PROXY TCP4 ", "PROXY TCP6 ::1 ", bytes(SIGNATURE), bytes(SIGNATURE + "2111")};
        for (int i = 0; i < 50_000; i++) {
            byte[] rest = new byte[random.nextInt(200)];
            random.nextBytes(rest);
            InputStream in = stream(starts[random.nextInt(starts.length)] + new String(rest, ISO_8859_1));
            try {
                Optional<Peer> _ = ProxyHeader.read(in);
            } catch (ProtocolException | EOFException e) {
                // one of the answers
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static String binary(String rest) {
        return bytes(SIGNATURE + rest);
    }

    private static String bytes(String hex) {
        return new String(HexFormat.of().parseHex(hex), ISO_8859_1);
    }

    private static InputStream stream(String bytes) {
        return new ByteArrayInputStream(bytes.getBytes(ISO_8859_1));
    }

    /// Reads a header and finds what stands behind it untouched.
    private static Optional<Peer> read(String header) throws IOException {
        InputStream in = stream(header + BEHIND);
        Optional<Peer> client = ProxyHeader.read(in);
        assertEquals(BEHIND, new String(in.readAllBytes(), ISO_8859_1));
        return client;
    }
}
