package org.bloomgate.decision.keyjournal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/// The format of an hourly file, little endian: 16 bytes of head, then blocks until the end of the file.
///
/// ```
///   head    "BGKEYS" 0 version | check of the installation key: 8
///   block   type: 4 | length of its content: 4 | CRC32C of type, length and content: 4 | content
///   MAIL    for each mail: token: 8 | delivered, seconds since 1970: 8 | count: 4 | count hashes: 8 each
///   SEEN    hashes that the hour had not seen before: 8 each
/// ```
///
/// The SEEN blocks are the set of all hashes of the MAIL blocks, so that a reader finds out cheaply which of
/// millions of names are worth a look at the messages. A block is written whole or torn; a torn one is the
/// last.
final class HourFileFormat {
    static final int HEAD_BYTES = 16;
    static final int BLOCK_HEAD_BYTES = 12;

    /// The greatest mail, [org.bloomgate.core.key.KeyBatch#MAX_KEYS] keys and a sender, takes a sixth of it.
    static final int MAX_CONTENT_BYTES = 1 << 20;

    static final int MAIL = 1;
    static final int SEEN = 2;

    private static final long MAGIC = 0x01_00_53_59_45_4b_47_42L;
    private static final int CRC_OFFSET = 8;

    private HourFileFormat() {}

    static ByteBuffer head(MailKeyHash hash) {
        return allocate(HEAD_BYTES).putLong(MAGIC).putLong(hash.check()).flip();
    }

    static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// Fills in the block header once its content follows the 12 bytes left free for it.
    ///
    /// @param start of the block; its content ends at the buffer's position
    static void seal(ByteBuffer block, int start, int type) {
        int length = block.position() - start - BLOCK_HEAD_BYTES;
        block.putInt(start, type).putInt(start + Integer.BYTES, length);
        block.putInt(start + CRC_OFFSET, crc(block, start, length));
    }

    static boolean isIntact(ByteBuffer block) {
        int length = block.getInt(Integer.BYTES);
        return block.getInt(CRC_OFFSET) == crc(block, 0, length);
    }

    private static int crc(ByteBuffer block, int start, int length) {
        CRC32C crc = new CRC32C();
        crc.update(block.slice(start, CRC_OFFSET));
        crc.update(block.slice(start + BLOCK_HEAD_BYTES, length));
        return (int) crc.getValue();
    }
}
