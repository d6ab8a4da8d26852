package org.bloomgate.filter;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/// The filter file: a header of one page, then the lines. Little endian on every machine.
///
/// ```
///    0  magic, 8 octets          40  lines, 8             96  body length, 8
///    8  format version, 4        48  k, 4                104  octets in a chunk, 4
///   12  header length, 4         52  canaries, 4         108  chunks, 4
///   16  layout, 4                56  keys inserted, 8    112  CRC32C of each chunk of the body, 4 each, up to 740
///   20  hash, 4                  64  capacity, 8        3072  4 canaries: length, 1, and up to 251 octets
///   24  canonical form, 4        72  target rate, 8     4080  zero
///   28  key kind, 4              80  bits set, 8        4092  CRC32C of the 4,092 octets before
///   32  seed, 8                  88  created at, ms, 8  4096  the lines
/// ```
///
/// The magic holds a non-ASCII octet, both line ends and an end-of-file mark, as PNG's does: a file mangled as
/// text is noticed at once. Canaries are keys known to be present; an absent one shows a changed hash, which no
/// checksum sees.
public final class FilterFormat {
    /// One page, so that the mapped lines are page aligned.
    public static final int HEADER_BYTES = 4096;

    /// The octets of the body that one checksum covers.
    public static final int CHUNK_BYTES = 64 << 20;

    static final int VERSION = 1;
    static final int MAX_CANARIES = 4;
    static final int MAX_CANARY_BYTES = 251;

    private static final byte[] MAGIC = "\u0089BGF\r\n\u001a\n".getBytes(StandardCharsets.ISO_8859_1);
    private static final int CHECKSUMS_AT = 112;
    private static final int CANARIES_AT = 3072;
    private static final int MAX_CHUNKS = (CANARIES_AT - CHECKSUMS_AT) / 4;
    private static final int HEADER_CHECKSUM_AT = HEADER_BYTES - 4;

    /// Lines that the checksums of one header reach: 46 GiB, some 13 thousand million keys at 1e-6.
    static final long MAX_LINES = (long) MAX_CHUNKS * CHUNK_BYTES / FilterSizing.LINE_BYTES;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = TwoLine.WORD;
    private static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private FilterFormat() {}

    /// Opens a filter after checking every octet of it.
    ///
    /// @param file the whole file: native, mapped or a `byte[]`
    /// @param kindCode the kind of key it must hold
    /// @param canonicalForm the version of the rules its keys must have been made with
    public static BloomFilter open(MemorySegment file, int kindCode, int canonicalForm) throws FilterRefusedException {
        FilterHeader header = readHeader(file);
        FilterParameters parameters = header.parameters();
        require(parameters.kindCode() == kindCode, "key kind", parameters.kindCode(), kindCode);
        require(
                parameters.canonicalForm() == canonicalForm,
                "canonical form",
                parameters.canonicalForm(),
                canonicalForm);
        verifyBody(file, parameters.sizing().bodyBytes());
        BloomFilter filter = new BloomFilter(file.asReadOnly(), header);
        verifyCanaries(filter);
        return filter;
    }

    /// Reads and checks the header alone.
    public static FilterHeader readHeader(MemorySegment file) throws FilterRefusedException {
        verifyShell(file);
        List<byte[]> canaries = readCanaries(file);
        long lines = file.get(LONG, 40);
        long bodyBytes = file.get(LONG, 96);
        if (lines < 1 || lines > MAX_LINES || lines * FilterSizing.LINE_BYTES != bodyBytes) {
            throw new FilterRefusedException("lines " + lines + " do not make a body of " + bodyBytes + " octets");
        }
        require(file.byteSize() == HEADER_BYTES + bodyBytes, "file length", file.byteSize(), HEADER_BYTES + bodyBytes);
        require(file.get(INT, 104) == CHUNK_BYTES, "octets in a chunk", file.get(INT, 104), CHUNK_BYTES);
        require(file.get(INT, 108) == chunks(bodyBytes), "chunks", file.get(INT, 108), chunks(bodyBytes));
        long inserted = file.get(LONG, 56);
        long setBits = file.get(LONG, 80);
        if (inserted < 0 || setBits < 0 || setBits > bodyBytes * 8) {
            throw new FilterRefusedException("keys inserted " + inserted + ", bits set " + setBits + ": out of range");
        }
        return new FilterHeader(readParameters(file, lines), inserted, setBits, canaries);
    }

    private static void verifyShell(MemorySegment file) throws FilterRefusedException {
        if (file.byteSize() < HEADER_BYTES) {
            throw new FilterRefusedException("shorter than a header: " + file.byteSize() + " octets");
        }
        if (file.asSlice(0, MAGIC.length).mismatch(MemorySegment.ofArray(MAGIC)) >= 0) {
            throw new FilterRefusedException("not a filter file: wrong magic");
        }
        require(file.get(INT, 8) == VERSION, "format version", file.get(INT, 8), VERSION);
        require(file.get(INT, 12) == HEADER_BYTES, "header length", file.get(INT, 12), HEADER_BYTES);
        if (file.get(INT, HEADER_CHECKSUM_AT) != checksum(file, 0, HEADER_CHECKSUM_AT)) {
            throw new FilterRefusedException("header checksum does not match");
        }
        require(file.get(INT, 16) == TwoLine.ID, "layout", file.get(INT, 16), TwoLine.ID);
        require(file.get(INT, 20) == KeyHash.XXH3_64, "hash", file.get(INT, 20), KeyHash.XXH3_64);
    }

    private static FilterParameters readParameters(MemorySegment file, long lines) throws FilterRefusedException {
        try {
            FilterSizing sizing = new FilterSizing(lines, file.get(INT, 48), file.get(LONG, 64), file.get(DOUBLE, 72));
            Instant createdAt = Instant.ofEpochMilli(file.get(LONG, 88));
            return new FilterParameters(file.get(INT, 28), file.get(INT, 24), file.get(LONG, 32), sizing, createdAt);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new FilterRefusedException(String.valueOf(e.getMessage()));
        }
    }

    private static List<byte[]> readCanaries(MemorySegment file) throws FilterRefusedException {
        int count = file.get(INT, 52);
        if (count < 0 || count > MAX_CANARIES) {
            throw new FilterRefusedException("canaries " + count + ": must be 0.." + MAX_CANARIES);
        }
        List<byte[]> canaries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long at = canaryAt(i);
            int length = file.get(ValueLayout.JAVA_BYTE, at) & 0xff;
            if (length > MAX_CANARY_BYTES) {
                throw new FilterRefusedException("canary " + i + " longer than " + MAX_CANARY_BYTES + " octets");
            }
            canaries.add(file.asSlice(at + 1, length).toArray(ValueLayout.JAVA_BYTE));
        }
        return canaries;
    }

    private static void verifyBody(MemorySegment file, long bodyBytes) throws FilterRefusedException {
        for (int chunk = 0; chunk < chunks(bodyBytes); chunk++) {
            if (file.get(INT, CHECKSUMS_AT + 4L * chunk) != chunkChecksum(file, bodyBytes, chunk)) {
                throw new FilterRefusedException("checksum of chunk " + chunk + " of the body does not match");
            }
        }
    }

    private static void verifyCanaries(BloomFilter filter) throws FilterRefusedException {
        for (byte[] canary : filter.header().canaries()) {
            if (!filter.mightContain(filter.hash().hash(canary, 0, canary.length))) {
                throw new FilterRefusedException("a canary key is absent: keys were inserted with another hash");
            }
        }
    }

    /// Writes the header of a file whose body is whole, its checksum last.
    static void writeHeader(MemorySegment file, FilterHeader header) {
        FilterParameters parameters = header.parameters();
        FilterSizing sizing = parameters.sizing();
        file.asSlice(0, HEADER_BYTES).fill((byte) 0);
        MemorySegment.copy(MAGIC, 0, file, ValueLayout.JAVA_BYTE, 0, MAGIC.length);
        file.set(INT, 8, VERSION);
        file.set(INT, 12, HEADER_BYTES);
        file.set(INT, 16, TwoLine.ID);
        file.set(INT, 20, KeyHash.XXH3_64);
        file.set(INT, 24, parameters.canonicalForm());
        file.set(INT, 28, parameters.kindCode());
        file.set(LONG, 32, parameters.seed());
        file.set(LONG, 40, sizing.lines());
        file.set(INT, 48, sizing.bitsPerKey());
        file.set(LONG, 56, header.inserted());
        file.set(LONG, 64, sizing.capacity());
        file.set(DOUBLE, 72, sizing.targetRate());
        file.set(LONG, 80, header.setBits());
        file.set(LONG, 88, parameters.createdAt().toEpochMilli());
        writeChecksums(file, sizing.bodyBytes());
        writeCanaries(file, header.canaries());
        file.set(INT, HEADER_CHECKSUM_AT, checksum(file, 0, HEADER_CHECKSUM_AT));
    }

    private static void writeChecksums(MemorySegment file, long bodyBytes) {
        file.set(LONG, 96, bodyBytes);
        file.set(INT, 104, CHUNK_BYTES);
        file.set(INT, 108, chunks(bodyBytes));
        for (int chunk = 0; chunk < chunks(bodyBytes); chunk++) {
            file.set(INT, CHECKSUMS_AT + 4L * chunk, chunkChecksum(file, bodyBytes, chunk));
        }
    }

    private static void writeCanaries(MemorySegment file, List<byte[]> canaries) {
        file.set(INT, 52, canaries.size());
        for (int i = 0; i < canaries.size(); i++) {
            byte[] canary = canaries.get(i);
            file.set(ValueLayout.JAVA_BYTE, canaryAt(i), (byte) canary.length);
            MemorySegment.copy(canary, 0, file, ValueLayout.JAVA_BYTE, canaryAt(i) + 1, canary.length);
        }
    }

    private static long canaryAt(int canary) {
        return CANARIES_AT + (long) canary * (MAX_CANARY_BYTES + 1);
    }

    private static int chunks(long bodyBytes) {
        return Math.toIntExact((bodyBytes + CHUNK_BYTES - 1) / CHUNK_BYTES);
    }

    private static int chunkChecksum(MemorySegment file, long bodyBytes, int chunk) {
        long from = (long) chunk * CHUNK_BYTES;
        return checksum(file, HEADER_BYTES + from, Math.min(CHUNK_BYTES, bodyBytes - from));
    }

    private static int checksum(MemorySegment file, long from, long length) {
        CRC32C crc = new CRC32C();
        crc.update(file.asSlice(from, length).asByteBuffer());
        return (int) crc.getValue();
    }

    private static void require(boolean asExpected, String what, long found, long expected)
            throws FilterRefusedException {
        if (!asExpected) {
            throw new FilterRefusedException(what + " is " + found + ", expected " + expected);
        }
    }
}
