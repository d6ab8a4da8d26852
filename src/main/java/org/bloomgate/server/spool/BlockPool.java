package org.bloomgate.server.spool;

import java.util.Arrays;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;

/// Blocks of 32 KiB for messages in transit, reused so that a message of usual size takes nothing from the
/// heap. A block contains zeros when it is handed out: a read beyond the end reveals nothing of another
/// message.
///
/// Thread-safe; a [Block] is for one thread at a time.
public final class BlockPool {
    public static final int BLOCK_BYTES = 32 * 1024;

    /// Blocks kept for the next message: 4 MiB, the blocks of 64 sessions in the middle of a message of common
    /// size. There may be more in use.
    static final int MOST_KEPT = 128;

    /// The one given back last is given out first, as it is in the processor's cache.
    private final BlockingDeque<byte[]> free = new LinkedBlockingDeque<>(MOST_KEPT);

    /// A block of zeros. A block that is never returned is only garbage.
    public Block take() {
        byte[] bytes = free.pollFirst();
        return new Block(this, bytes == null ? new byte[BLOCK_BYTES] : bytes);
    }

    int kept() {
        return free.size();
    }

    /// The right to use one block.
    public static final class Block implements AutoCloseable {
        private static final byte[] NONE = {};

        private final BlockPool pool;
        private byte[] bytes;

        private Block(BlockPool pool, byte[] bytes) {
            this.pool = pool;
            this.bytes = bytes;
        }

        /// [#BLOCK_BYTES] of them; none when it was given back. Not to be kept beyond that.
        public byte[] bytes() {
            return bytes;
        }

        /// Gives it back, once however often it is called.
        @Override
        public void close() {
            if (bytes.length > 0) {
                Arrays.fill(bytes, (byte) 0);
                pool.free.offerFirst(bytes);
                bytes = NONE;
            }
        }
    }
}
