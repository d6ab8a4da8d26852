package org.bloomgate.lookup.store;

import java.nio.ByteBuffer;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.bloom.KeyHash;

/// Where a page is in the file of its part and what it contains: a value of an index page or of the root.
///
/// Bytes: offset and length as [Varint]s, then the digest.
///
/// @param length in bytes, at most [Page#MAX_BYTES]
/// @param digestHigh the first 64 bits of the SHA-256 of the page, big endian
/// @param digestLow the next 64 bits
record PageReference(long offset, int length, long digestHigh, long digestLow) {
    static final int MAX_ENCODED_BYTES = 2 * Varint.MAX_BYTES + 2 * Long.BYTES;

    static PageReference of(long offset, byte[] page) {
        ByteBuffer digest = ByteBuffer.wrap(Sha256.digest(page));
        return new PageReference(offset, page.length, digest.getLong(), digest.getLong());
    }

    void encode(ByteBuffer out) {
        Varint.write(out, offset);
        Varint.write(out, length);
        out.putLong(digestHigh).putLong(digestLow);
    }

    static PageReference decode(ByteBuffer in) throws MalformedStoreException {
        long offset = Varint.read(in, "offset of a page");
        long length = Varint.read(in, "length of a page");
        if (length > Page.MAX_BYTES || in.remaining() != 2 * Long.BYTES) {
            throw new MalformedStoreException("reference to a page of " + length + " bytes");
        }
        return new PageReference(offset, (int) length, in.getLong(), in.getLong());
    }

    /// Whether the page is the one that the index names, and so the signed manifest.
    boolean isDigestOf(byte[] page) {
        return equals(of(offset, page));
    }

    /// The checksum at the end of a page: XXH3 of the bytes before, seeded with the offset of the page, so that a
    /// page in the place of another one is detected as well.
    static long checksum(byte[] page, int length, long offset) {
        return new KeyHash(offset).hash(page, 0, length);
    }
}
