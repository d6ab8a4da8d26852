package org.bloomgate.content.archive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZipWalkTest {
    private static final byte[] STORED = Zips.stored("a.txt", "hello".getBytes(ISO_8859_1));

    private static Opened open(byte[] zip) {
        Opened opened = new Opened();
        ZipWalk.read(zip, zip.length, opened);
        return opened;
    }

    private static byte[] changed(byte[] zip, String was, int nth, String now) {
        byte[] changed = zip.clone();
        int at = -1;
        for (int i = 0; i <= nth; i++) {
            at = LittleEndian.indexOf(changed, changed.length, was, at + 1);
        }
        System.arraycopy(now.getBytes(ISO_8859_1), 0, changed, at, now.length());
        return changed;
    }

    @Test
    void members_areReadOnceWithTheirNames() {
        Opened opened = open(Zips.deflated("a.txt", "hello", "b/c.html", "<a>"));
        assertEquals(List.of("a.txt=hello", "b/c.html=<a>"), opened.members);
        assertEquals(Set.of(), opened.limits());
    }

    @Test
    void storedMemberBehindAStub_isRead() {
        byte[] stub = "MZ stub".getBytes(ISO_8859_1);
        byte[] zip = Arrays.copyOf(stub, stub.length + STORED.length);
        System.arraycopy(STORED, 0, zip, stub.length, STORED.length);
        assertEquals(List.of("a.txt=hello"), open(zip).members);
        assertEquals(Set.of(), open(zip).limits());
    }

    @Test
    void memberWithTwoNames_isReadUnderBoth() {
        Opened opened = open(changed(STORED, "a.txt", 0, "b.htm"));
        assertEquals(List.of("a.txt=hello", "b.htm=hello"), opened.members);
        assertEquals(Set.of("archiveMismatch"), opened.limits());
    }

    @Test
    void memberMissingInTheDirectory_isReadAndTagged() {
        byte[] hidden = Arrays.copyOf(STORED, LittleEndian.indexOf(STORED, STORED.length, ZipEntry.CENTRAL, 0));
        byte[] shown = Zips.stored("b.txt", "other".getBytes(ISO_8859_1));
        byte[] zip = Arrays.copyOf(hidden, hidden.length + shown.length);
        System.arraycopy(shown, 0, zip, hidden.length, shown.length);
        Opened opened = open(zip);
        assertEquals(List.of("b.txt=other", "a.txt=hello"), opened.members);
        assertEquals(Set.of("archiveMismatch"), opened.limits());
    }

    @Test
    void hiddenMemberOfAnyVersion_isReadAndTagged() {
        byte[] hidden = Arrays.copyOf(STORED, LittleEndian.indexOf(STORED, STORED.length, ZipEntry.CENTRAL, 0));
        hidden[4] = 99;
        byte[] shown = Zips.stored("b.txt", "other".getBytes(ISO_8859_1));
        byte[] zip = Arrays.copyOf(hidden, hidden.length + shown.length);
        System.arraycopy(shown, 0, zip, hidden.length, shown.length);
        assertEquals(List.of("b.txt=other", "a.txt=hello"), open(zip).members);
        assertEquals(Set.of("archiveMismatch"), open(zip).limits());
    }

    /// As of ZIP64, where the length stands elsewhere.
    @Test
    void storedMemberOfUnknownLength_isReadToItsEnd() {
        byte[] zip = Zips.stored("a.txt", "one PK two PK\1\2 three".getBytes(ISO_8859_1));
        Arrays.fill(zip, 18, 22, (byte) 0xff);
        int directory = LittleEndian.indexOf(
                zip, zip.length, ZipEntry.CENTRAL, LittleEndian.indexOf(zip, zip.length, "three", 0));
        Arrays.fill(zip, directory + 20, directory + 24, (byte) 0xff);
        Opened opened = open(zip);
        assertEquals(1, opened.members.size());
        assertTrue(opened.members.getFirst().startsWith("a.txt=one PK two PK\1\2 three"), () -> "" + opened.members);
    }

    /// Whatever is wrong with the local headers of all members, the directory says where their contents are.
    @Test
    void membersWithDamagedHeaders_areReadByTheDirectory() {
        byte[] sound = Zips.deflated("a.txt", "hello", "b/c.html", "<a>");
        int second = LittleEndian.indexOf(sound, sound.length, ZipEntry.LOCAL, 1);
        for (int from = 0; from < 4; from++) {
            for (int to = from + 1; to <= 30; to++) {
                for (byte damage : new byte[] {0, 'X', -1}) {
                    byte[] zip = sound.clone();
                    Arrays.fill(zip, from, to, damage);
                    Arrays.fill(zip, second + from, second + to, damage);
                    Opened opened = open(zip);
                    String what = from + " to " + to + ": " + damage;
                    assertEquals(List.of("a.txt=hello", "b/c.html=<a>"), opened.members, what);
                    assertEquals(Set.of("archiveMismatch"), opened.limits(), what);
                }
            }
        }
    }

    @Test
    void archiveWithoutDirectory_isReadAndOpaque() {
        byte[] cut = Arrays.copyOf(STORED, LittleEndian.indexOf(STORED, STORED.length, ZipEntry.CENTRAL, 0));
        assertEquals(List.of("a.txt=hello"), open(cut).members);
        assertEquals(Set.of("opaque"), open(cut).limits());
    }

    @Test
    void encryptedMemberOrUnknownMethod_isOpaque() {
        byte[] encrypted = STORED.clone();
        encrypted[6] = 1;
        encrypted[LittleEndian.indexOf(encrypted, encrypted.length, ZipEntry.CENTRAL, 0) + 8] = 1;
        assertEquals(Set.of("opaque"), open(encrypted).limits());
        byte[] unknown = STORED.clone();
        unknown[8] = 99;
        unknown[LittleEndian.indexOf(unknown, unknown.length, ZipEntry.CENTRAL, 0) + 10] = 99;
        assertEquals(Set.of("opaque"), open(unknown).limits());
    }

    @Test
    void membersBeyondTheBound_areALimit() {
        assertEquals(Set.of(), open(many(Allowance.MAX_ARCHIVE_ENTRIES)).limits());
        Opened beyond = open(many(Allowance.MAX_ARCHIVE_ENTRIES + 1));
        assertEquals(Allowance.MAX_ARCHIVE_ENTRIES, beyond.members.size());
        assertEquals(Set.of("archiveEntries"), beyond.limits());
    }

    /// Sizes of members, at and beside the bounds of the buffers and of the ratio.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023, 1024, 1025, 4095, 4096, 4097, 65_535, Members.FREE_BYTES})
    void memberOfAnyLengthAndPacking_isReadToItsEnd(int length) {
        byte[] content = new byte[length];
        for (int method : new int[] {0, 8}) {
            for (Zips.Lengths lengths : Zips.Lengths.values()) {
                byte[] zip = Zips.of(method, lengths, content, "b".getBytes(ISO_8859_1));
                Opened opened = open(zip);
                String what = length + " by method " + method + ", " + lengths;
                assertEquals(Set.of(), opened.limits(), what);
                assertEquals(2, opened.members.size(), what);
                assertEquals(length, opened.lengths.getFirst(), what);
                assertEquals("1=b", opened.members.getLast(), what);
            }
        }
    }

    @Test
    void packedMemberWithoutContent_isEmpty() {
        byte[] zip = Zips.of(0, Zips.Lengths.BEFORE, new byte[0], "b".getBytes(ISO_8859_1));
        zip[8] = 8;
        zip[LittleEndian.indexOf(zip, zip.length, ZipEntry.CENTRAL, 0) + 10] = 8;
        assertEquals(Set.of(), open(zip).limits());
    }

    private static byte[] many(int members) {
        String[] names = new String[2 * members];
        for (int i = 0; i < members; i++) {
            names[2 * i] = i + ".txt";
            names[2 * i + 1] = "x";
        }
        return Zips.deflated(names);
    }

    @Test
    void memberBeyondTheRatio_isCut() {
        assertEquals(
                Set.of(),
                open(Zips.deflated("a", " ".repeat(Members.FREE_BYTES))).limits());
        assertEquals(
                Set.of("archiveRatio"),
                open(Zips.deflated("a", " ".repeat(1 << 20))).limits());
    }

    @Test
    void bytesBeyondTheAllowance_areCut() {
        assertEquals(
                Set.of(),
                open(Zips.stored("a", new byte[Allowance.MAX_ARCHIVE_BYTES])).limits());
        assertEquals(
                Set.of("archiveBytes"),
                open(Zips.stored("a", new byte[Allowance.MAX_ARCHIVE_BYTES + 1]))
                        .limits());
    }

    @Test
    void imageMembers_costNothing() {
        Opened opened = open(Zips.stored("a.png", new byte[Allowance.MAX_ARCHIVE_BYTES + 1]));
        assertEquals(List.of(), opened.members);
        assertTrue(opened.limits().isEmpty());
    }

    @Test
    void damagedMember_isOpaque() {
        byte[] zip = Zips.deflated("a.txt", "hello ".repeat(40));
        zip[35] = 7;
        assertTrue(open(zip).limits().contains("opaque"));
    }

    @Test
    void memberBeyondTheHeap_isItsOwnLimitAlone() {
        String text = "a".repeat(300_000) + "b".repeat(300_000);
        for (byte[] zip : List.of(Zips.deflated("a.txt", text), Zips.stored("a.txt", text.getBytes(ISO_8859_1)))) {
            Opened opened = new Opened();
            long taken = Allowance.MAX_HEAP_BYTES - 100_000;
            assertTrue(opened.allowance().takeHeap(Limit.DEFAULT, taken));
            ZipWalk.read(zip, zip.length, opened);
            assertEquals(Set.of("archiveBytes"), opened.limits());
            assertEquals(taken, opened.allowance().heap());
        }
    }
}
