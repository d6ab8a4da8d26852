package org.bloomgate.core.cidr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RangeFormatTest {
    private static final String GOLDEN = "894247520d0a1a0a00000001000000400000000300000000" // magic to canonical form
            + "0000000000000004" + "00000002" + "00000001" // blocks, ranges
            + "b64c5426" + "00".repeat(16) + "4a223e51" // checksums
            + "c0000200" + "c6336400" + "c00002ff" + "c6336400" // IPv4: two first addresses, two last ones
            + "20010db8000000000000000000000000" + "20010db800000000ffffffffffffffff";

    private static byte[] file() {
        return Blocks.file("192.0.2.0/24", "192.0.2.9", "198.51.100.0", "2001:db8::/64");
    }

    @Test
    void theBytesAreThese() throws RangesRefusedException {
        assertEquals(GOLDEN, HexFormat.of().formatHex(file()));
        assertEquals(2, Blocks.open(HexFormat.of().parseHex(GOLDEN)).ipv4Ranges());
    }

    @Test
    void equalListsMakeEqualBytes() {
        assertArrayEquals(Blocks.file("192.0.2.0/25", "192.0.2.128/25"), Blocks.file("192.0.2.128/25", "192.0.2.0/25"));
    }

    @Test
    void everyFlippedBitIsRefused() {
        byte[] file = file();
        for (int bit = 0; bit < file.length * 8; bit++) {
            byte[] flipped = file.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThrows(RangesRefusedException.class, () -> Blocks.open(flipped), "bit " + bit);
        }
    }

    @Test
    void everyOtherLengthIsRefused() {
        byte[] file = file();
        for (int length = 0; length < file.length; length++) {
            byte[] cut = Arrays.copyOf(file, length);
            assertThrows(RangesRefusedException.class, () -> Blocks.open(cut), "length " + length);
        }
        assertThrows(RangesRefusedException.class, () -> Blocks.open(Arrays.copyOf(file, file.length + 1)));
    }

    /// With both checksums right, as somebody would write it who means harm.
    @ParameterizedTest
    @CsvSource({
        "8, 2, format version is 2",
        "12, 65, header length is 65",
        "16, 4, canonical form is 4",
        "20, 1, header holds what",
        "44, 1, header holds what",
        "56, 1, header holds what",
        "28, 2, ranges 2 and 1 of 2 blocks",
        "24, -1, ranges 2 and 1 of",
        "32, -1, ranges -1 and 1",
        "36, -1, ranges 2 and -1",
        "32, 1, file length",
        "36, 2, file length",
        "64, -964467712, IPv4 range 0 out of order",
        "68, -1073741568, IPv4 range 1 out of order",
        "76, -969710593, IPv4 range 1 out of order",
        "80, 1614879288, IPv6 range 0 out of order"
    })
    void whatNoWriterWritesIsRefusedByName(int at, int value, String reason) {
        byte[] file = file();
        ByteBuffer.wrap(file).putInt(at, value);
        RangesRefusedException refused = assertThrows(RangesRefusedException.class, () -> Blocks.open(sealed(file)));
        assertEquals(reason, String.valueOf(refused.getMessage()).substring(0, reason.length()));
    }

    @Test
    void rangesThatTouchAreNotWrittenSo() {
        byte[] file = Blocks.file("192.0.2.0/25", "192.0.3.0/24");
        ByteBuffer.wrap(file).putInt(RangeFormat.HEADER_BYTES + 4, 0xc0000280);
        ByteBuffer.wrap(file).putInt(RangeFormat.HEADER_BYTES + 12, 0xc0000280);
        assertThrows(RangesRefusedException.class, () -> Blocks.open(sealed(file)));
    }

    private static byte[] sealed(byte[] file) {
        ByteBuffer.wrap(file).putInt(40, crc(file, RangeFormat.HEADER_BYTES, file.length));
        ByteBuffer.wrap(file).putInt(60, crc(file, 0, 60));
        return file;
    }

    private static int crc(byte[] file, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(file, from, to - from);
        return (int) crc.getValue();
    }

    @Test
    void aFileOfOtherRulesIsRefused() {
        assertThrows(RangesRefusedException.class, () -> RangeFormat.open(MemorySegment.ofArray(file()), 99));
    }
}
