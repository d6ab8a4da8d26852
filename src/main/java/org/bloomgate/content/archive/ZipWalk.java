package org.bloomgate.content.archive;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.deflate64.Deflate64CompressorInputStream;
import org.bloomgate.core.limit.Limit;

/// Reads the members of a zip file twice: by the central directory at its end, and by their local headers.
/// Programs differ in which they use. So a member that only one of them has, or that they describe differently,
/// is read by each description, and is the limit `archiveMismatch`. A member whose local header is damaged is read by
/// the directory alone.
///
/// A member that is encrypted or packed by an unknown method, or a zip file without a directory, is the limit
/// `opaque`.
public final class ZipWalk {
    /// The length of the end record and the longest comment after it.
    private static final int END_BYTES = 22 + 0xffff;

    private final byte[] zip;
    private final int length;
    private final ArchiveVisitor opening;

    /// Entries of the central directory by the position of their local headers.
    private final Map<Integer, ZipEntry> listed = new HashMap<>();

    private ZipWalk(byte[] zip, int length, ArchiveVisitor opening) {
        this.zip = zip;
        this.length = length;
        this.opening = opening;
    }

    public static void read(byte[] zip, int length, ArchiveVisitor opening) {
        ZipWalk walk = new ZipWalk(zip, length, opening);
        if (walk.byDirectory()) {
            walk.byHeaders();
        }
    }

    /// Whether there is an end record where programs search for it, whatever the file begins with.
    public static boolean hasEnd(byte[] bytes, int length) {
        return end(bytes, length) >= 0;
    }

    private static int end(byte[] bytes, int length) {
        return LittleEndian.lastIndexOf(bytes, length, ZipEntry.END, length - ZipEntry.END.length(), END_BYTES);
    }

    /// Reads the members of the central directory; false if no further member may be read.
    private boolean byDirectory() {
        int end = end(zip, length);
        if (end < 0) {
            opening.reached(Limit.OPAQUE);
            return true;
        }
        long size = LittleEndian.four(zip, length, end + 12);
        long start = LittleEndian.four(zip, length, end + 16);
        long shift = end - size - start;
        boolean plausible =
                start + shift >= 0 && LittleEndian.isAt(zip, length, (int) (start + shift), ZipEntry.CENTRAL);
        int at = plausible ? (int) (start + shift) : LittleEndian.indexOf(zip, end, ZipEntry.CENTRAL, 0);
        while (LittleEndian.isAt(zip, end, at, ZipEntry.CENTRAL)) {
            ZipEntry entry = ZipEntry.central(zip, length, at, plausible ? shift : 0);
            listed.put(entry.header(), entry);
            if (!take(entry)) {
                return false;
            }
            at = ZipEntry.behindCentral(zip, length, at);
        }
        return true;
    }

    /// Reads the members by their local headers from the first one on; the next header is searched for after
    /// each member.
    private void byHeaders() {
        int at = LittleEndian.indexOf(zip, length, ZipEntry.LOCAL, 0);
        while (at >= 0) {
            ZipEntry own = ZipEntry.local(zip, length, at);
            ZipEntry known = listed.get(at);
            if (known == null || !known.agrees(own)) {
                mismatch();
                if (!take(own)) {
                    return;
                }
            }
            long packed = known == null ? own.packed() : known.packed();
            at = LittleEndian.indexOf(
                    zip, length, ZipEntry.LOCAL, (int) Math.min(length, own.content(zip, length) + packed));
        }
    }

    private void mismatch() {
        if (!listed.isEmpty()) {
            opening.reached(Limit.ARCHIVE_MISMATCH);
        }
    }

    /// Reads a member; false if no further member may be read.
    private boolean take(ZipEntry entry) {
        if (entry.folder()) {
            return opening.spend(64);
        }
        if (entry.isHeaderDamaged(zip, length)) {
            mismatch();
        }
        if (!opening.allowance().draw(Limit.ARCHIVE_ENTRIES, 1)) {
            return false;
        }
        int from = entry.content(zip, length);
        // Without a length, to the end of the file: the content may contain bytes that look like a header.
        int to = entry.packed() == 0 ? length : (int) Math.min(length, from + entry.packed());
        if (entry.encrypted()) {
            opening.reached(Limit.OPAQUE);
        } else if (entry.packed() == 0 && ZipEntry.isRecord(zip, length, from)) {
            Members.copy(entry.name(), zip, from, from, opening);
        } else {
            unpack(entry, from, to);
        }
        return opening.spend(64);
    }

    private void unpack(ZipEntry entry, int from, int to) {
        switch (entry.method()) {
            case 0 -> Members.copy(entry.name(), zip, from, to, opening);
            case 8 -> Members.inflate(entry.name(), zip, from, to, opening);
            case 9 -> streamed(entry, to - from, () -> new Deflate64CompressorInputStream(stream(from, to)));
            case 12 -> streamed(entry, to - from, () -> new BZip2CompressorInputStream(stream(from, to)));
            default -> opening.reached(Limit.OPAQUE);
        }
    }

    private InputStream stream(int from, int to) {
        return new ByteArrayInputStream(zip, from, to - from);
    }

    private interface Unpacked {
        InputStream open() throws IOException;
    }

    private void streamed(ZipEntry entry, int packed, Unpacked unpacked) {
        long before = opening.allowance().heap();
        unpack(entry, packed, unpacked);
        opening.allowance().heapBackTo(before);
    }

    private boolean grows(int size) {
        return opening.allowance().takeHeap(Limit.ARCHIVE_BYTES, size);
    }

    private void unpack(ZipEntry entry, int packed, Unpacked unpacked) {
        int most = Members.bytesFor(packed, opening.allowance());
        byte[] bytes = new byte[Math.min(most, Members.FREE_BYTES)];
        int taken = 0;
        try (InputStream stream = unpacked.open()) {
            int more = stream.read(bytes, 0, bytes.length);
            while (more > 0 && opening.spend(more * 4L)) {
                taken += more;
                int size = (int) Math.min(most, taken * 4L);
                if (taken == bytes.length && taken < most) {
                    if (!grows(size)) {
                        break;
                    }
                    bytes = Arrays.copyOf(bytes, size);
                }
                more = stream.read(bytes, taken, bytes.length - taken);
            }
            if (taken == most) {
                opening.allowance().draw(Limit.ARCHIVE_BYTES, taken);
                Members.cut(opening.allowance());
                opening.visitMember(entry.name(), bytes, taken);
                return;
            }
        } catch (IOException | RuntimeException damaged) {
            opening.reached(Limit.OPAQUE);
        }
        opening.allowance().draw(Limit.ARCHIVE_BYTES, taken);
        opening.visitMember(entry.name(), bytes, taken);
    }
}
