package org.bloomgate.server.spool;

import java.util.Arrays;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;

/// Blocks of 32 KiB for spooled messages, reused so that a message of usual size allocates nothing. A block
/// contains only zeros when it is taken: a read beyond the end reveals nothing of another message.
///
/// Thread-safe; a [Block] is for one thread at a time.
public final class BlockPool {
    public static final int BLOCK_BYTES = 32 * 1024;

    /// The most free blocks: 4 MiB, the blocks of 64 sessions that receive a message of common size. There may
    /// be more in use.
    static final int MAX_FREE = 128;

    /// The block returned last is taken first, because it is in the cache of the processor.
    private final BlockingDeque<byte[]> free = new LinkedBlockingDeque<>(MAX_FREE);

    /// Takes a block of zeros. A block that is never returned is only garbage.
    public Block take() {
        byte[] bytes = free.pollFirst();
        return new Block(this, bytes == null ? new byte[BLOCK_BYTES] : bytes);
    }

    int freeBlocks() {
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

        /// The [#BLOCK_BYTES] bytes; an empty array after [#close()]. Must not be used after that.
        public byte[] bytes() {
            return bytes;
        }

        /// Returns the block. Further calls have no effect.
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
