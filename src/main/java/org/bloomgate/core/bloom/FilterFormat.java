package org.bloomgate.core.bloom;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/// The format of a filter file: a header of one page, with its fields at the offsets named here, then the body.
/// The body consists of the lines, and in version 2 a fuse filter after them: for each of its shards the number
/// of the attempt that succeeded, 1 byte; zeros up to a whole line; then the fingerprints, 2 bytes each, shard
/// by shard. Little endian on every machine; bytes outside of fields are zero.
///
/// Like that of PNG, the magic number contains a non-ASCII byte, both line ends and an end-of-file mark, so
/// that a file that was damaged by a conversion as text is recognized at once. Canaries are keys that are known
/// to be present; an absent canary shows that the hash has changed, which no checksum detects.
public final class FilterFormat {
    /// One page, so that the mapped lines are page aligned.
    public static final int HEADER_BYTES = 4096;

    /// The bytes of the body that one checksum covers.
    public static final int CHUNK_BYTES = 64 << 20;

    static final int MAX_CANARIES = 4;
    static final int MAX_CANARY_BYTES = 251;

    private static final byte[] MAGIC = "\u0089BGF\r\n\u001a\n".getBytes(StandardCharsets.ISO_8859_1);

    // The header: where each field begins, in bytes. Those of 4 bytes are an INT, those of 8 a LONG or DOUBLE.
    private static final int VERSION_AT = 8;
    private static final int HEADER_BYTES_AT = 12;
    private static final int LAYOUT_AT = 16;
    private static final int HASH_AT = 20;
    private static final int CANONICAL_FORM_AT = 24;
    private static final int KIND_AT = 28;
    private static final int SEED_AT = 32; // 8 bytes
    private static final int LINES_AT = 40; // 8
    private static final int BITS_PER_KEY_AT = 48;
    private static final int CANARIES_AT = 52; // how many
    private static final int INSERTED_AT = 56; // 8
    private static final int CAPACITY_AT = 64; // 8
    private static final int TARGET_RATE_AT = 72; // 8
    private static final int SET_BITS_AT = 80; // 8
    private static final int CREATED_AT = 88; // 8, milliseconds since 1970
    private static final int BODY_BYTES_AT = 96; // 8
    private static final int CHUNK_BYTES_AT = 104;
    private static final int CHUNKS_AT = 108;
    private static final int CHECKSUMS_AT = 112; // CRC32C of each chunk of the body, 4 each
    private static final int FIRST_CANARY_AT = 3072; // length, 1, and room for the longest, four times
    private static final int HEADER_CHECKSUM_AT = HEADER_BYTES - 4; // CRC32C of all bytes before

    private static final int MAX_CHUNKS = (FIRST_CANARY_AT - CHECKSUMS_AT) / 4;

    /// The largest body that the checksums of one header cover: 46 GiB, some 16 thousand million keys at 1e-6.
    static final long MAX_BODY_BYTES = (long) MAX_CHUNKS * CHUNK_BYTES;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = TwoLine.WORD;
    private static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private FilterFormat() {}

    /// Opens a filter after checking every byte of it.
    ///
    /// @param file the whole file: native, mapped or a `byte[]`
    /// @param kindCode the kind of key that it must contain
    /// @param canonicalForm the version of the rules with which its keys must have been made
    public static BloomFilter open(MemorySegment file, int kindCode, int canonicalForm) throws FilterRefusedException {
        FilterHeader header = readHeader(file);
        verifyBody(file, header.parameters().sizing().bodyBytes());
        return open(file, header, kindCode, canonicalForm);
    }

    /// Opens a filter whose body has just been verified by other means, without computing its checksums.
    ///
    /// @param file as of [#open]
    public static BloomFilter openVerified(MemorySegment file, int kindCode, int canonicalForm)
            throws FilterRefusedException {
        return open(file, readHeader(file), kindCode, canonicalForm);
    }

    private static BloomFilter open(MemorySegment file, FilterHeader header, int kindCode, int canonicalForm)
            throws FilterRefusedException {
        FilterParameters parameters = header.parameters();
        require(parameters.kindCode() == kindCode, "key kind", parameters.kindCode(), kindCode);
        require(
                parameters.canonicalForm() == canonicalForm,
                "canonical form",
                parameters.canonicalForm(),
                canonicalForm);
        BloomFilter filter = new BloomFilter(file.asReadOnly(), header);
        verifyCanaries(filter);
        return filter;
    }

    /// Reads and checks only the header.
    public static FilterHeader readHeader(MemorySegment file) throws FilterRefusedException {
        FilterLayout layout = verifyShell(file);
        List<byte[]> canaries = readCanaries(file);
        FilterParameters parameters = readParameters(file, layout);
        FilterSizing sizing = parameters.sizing();
        long bodyBytes = file.get(LONG, BODY_BYTES_AT);
        if (bodyBytes > MAX_BODY_BYTES || sizing.bodyBytes() != bodyBytes) {
            throw new FilterRefusedException("lines " + sizing.lines() + ", capacity " + sizing.capacity()
                    + " do not make a body of " + bodyBytes + " bytes");
        }
        require(file.byteSize() == HEADER_BYTES + bodyBytes, "file length", file.byteSize(), HEADER_BYTES + bodyBytes);
        require(
                file.get(INT, CHUNK_BYTES_AT) == CHUNK_BYTES,
                "bytes in a chunk",
                file.get(INT, CHUNK_BYTES_AT),
                CHUNK_BYTES);
        require(file.get(INT, CHUNKS_AT) == chunks(bodyBytes), "chunks", file.get(INT, CHUNKS_AT), chunks(bodyBytes));
        long inserted = file.get(LONG, INSERTED_AT);
        long setBits = file.get(LONG, SET_BITS_AT);
        if (inserted < 0 || setBits < 0 || setBits > sizing.lineBytes() * Byte.SIZE) {
            throw new FilterRefusedException("keys inserted " + inserted + ", bits set " + setBits + ": out of range");
        }
        return new FilterHeader(parameters, inserted, setBits, canaries);
    }

    private static FilterLayout verifyShell(MemorySegment file) throws FilterRefusedException {
        if (file.byteSize() < HEADER_BYTES) {
            throw new FilterRefusedException("shorter than a header: " + file.byteSize() + " bytes");
        }
        if (file.asSlice(0, MAGIC.length).mismatch(MemorySegment.ofArray(MAGIC)) >= 0) {
            throw new FilterRefusedException("not a filter file: wrong magic");
        }
        int version = file.get(INT, VERSION_AT);
        FilterLayout layout = FilterLayout.ofCode(version)
                .orElseThrow(() -> new FilterRefusedException("format version is " + version + ", expected 1 or 2"));
        require(
                file.get(INT, HEADER_BYTES_AT) == HEADER_BYTES,
                "header length",
                file.get(INT, HEADER_BYTES_AT),
                HEADER_BYTES);
        if (file.get(INT, HEADER_CHECKSUM_AT) != checksum(file, 0, HEADER_CHECKSUM_AT)) {
            throw new FilterRefusedException("header checksum does not match");
        }
        require(file.get(INT, LAYOUT_AT) == layout.code(), "layout", file.get(INT, LAYOUT_AT), layout.code());
        require(file.get(INT, HASH_AT) == KeyHash.XXH3_64, "hash", file.get(INT, HASH_AT), KeyHash.XXH3_64);
        return layout;
    }

    private static FilterParameters readParameters(MemorySegment file, FilterLayout layout)
            throws FilterRefusedException {
        try {
            FilterSizing sizing = new FilterSizing(
                    layout,
                    file.get(LONG, LINES_AT),
                    file.get(INT, BITS_PER_KEY_AT),
                    file.get(LONG, CAPACITY_AT),
                    file.get(DOUBLE, TARGET_RATE_AT));
            Instant createdAt = Instant.ofEpochMilli(file.get(LONG, CREATED_AT));
            return new FilterParameters(
                    file.get(INT, KIND_AT),
                    file.get(INT, CANONICAL_FORM_AT),
                    file.get(LONG, SEED_AT),
                    sizing,
                    createdAt);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new FilterRefusedException(String.valueOf(e.getMessage()));
        }
    }

    private static List<byte[]> readCanaries(MemorySegment file) throws FilterRefusedException {
        int count = file.get(INT, CANARIES_AT);
        if (count < 0 || count > MAX_CANARIES) {
            throw new FilterRefusedException("canaries " + count + ": must be 0.." + MAX_CANARIES);
        }
        List<byte[]> canaries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long at = canaryAt(i);
            int length = file.get(ValueLayout.JAVA_BYTE, at) & 0xff;
            if (length > MAX_CANARY_BYTES) {
                throw new FilterRefusedException("canary " + i + " longer than " + MAX_CANARY_BYTES + " bytes");
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

    /// Writes the header of a file whose body is complete, its checksum last.
    static void writeHeader(MemorySegment file, FilterHeader header) {
        FilterParameters parameters = header.parameters();
        FilterSizing sizing = parameters.sizing();
        file.asSlice(0, HEADER_BYTES).fill((byte) 0);
        MemorySegment.copy(MAGIC, 0, file, ValueLayout.JAVA_BYTE, 0, MAGIC.length);
        file.set(INT, VERSION_AT, sizing.layout().code());
        file.set(INT, HEADER_BYTES_AT, HEADER_BYTES);
        file.set(INT, LAYOUT_AT, sizing.layout().code());
        file.set(INT, HASH_AT, KeyHash.XXH3_64);
        file.set(INT, CANONICAL_FORM_AT, parameters.canonicalForm());
        file.set(INT, KIND_AT, parameters.kindCode());
        file.set(LONG, SEED_AT, parameters.seed());
        file.set(LONG, LINES_AT, sizing.lines());
        file.set(INT, BITS_PER_KEY_AT, sizing.bitsPerKey());
        file.set(LONG, INSERTED_AT, header.inserted());
        file.set(LONG, CAPACITY_AT, sizing.capacity());
        file.set(DOUBLE, TARGET_RATE_AT, sizing.targetRate());
        file.set(LONG, SET_BITS_AT, header.setBits());
        file.set(LONG, CREATED_AT, parameters.createdAt().toEpochMilli());
        writeChecksums(file, sizing.bodyBytes());
        writeCanaries(file, header.canaries());
        file.set(INT, HEADER_CHECKSUM_AT, checksum(file, 0, HEADER_CHECKSUM_AT));
    }

    private static void writeChecksums(MemorySegment file, long bodyBytes) {
        file.set(LONG, BODY_BYTES_AT, bodyBytes);
        file.set(INT, CHUNK_BYTES_AT, CHUNK_BYTES);
        file.set(INT, CHUNKS_AT, chunks(bodyBytes));
        for (int chunk = 0; chunk < chunks(bodyBytes); chunk++) {
            file.set(INT, CHECKSUMS_AT + 4L * chunk, chunkChecksum(file, bodyBytes, chunk));
        }
    }

    private static void writeCanaries(MemorySegment file, List<byte[]> canaries) {
        file.set(INT, CANARIES_AT, canaries.size());
        for (int i = 0; i < canaries.size(); i++) {
            byte[] canary = canaries.get(i);
            file.set(ValueLayout.JAVA_BYTE, canaryAt(i), (byte) canary.length);
            MemorySegment.copy(canary, 0, file, ValueLayout.JAVA_BYTE, canaryAt(i) + 1, canary.length);
        }
    }

    private static long canaryAt(int canary) {
        return FIRST_CANARY_AT + (long) canary * (MAX_CANARY_BYTES + 1);
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
