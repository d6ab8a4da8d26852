package org.bloomgate.server.spool;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import org.bloomgate.base.io.BlockStream;

/// The bytes of one message in memory: as many blocks as it needs, each taken from the budget first. A message
/// without memory from the budget has a small buffer for writing to the disk. Not thread-safe.
final class BlockChain implements AutoCloseable {
    /// The buffer of a message that has no memory from the budget.
    private static final int BYTES_WITHOUT_BUDGET = 4 * 1024;

    private final MemoryBudget budget;
    private final List<BlockPool.Block> blocks = new ArrayList<>();

    /// The last block, if it is smaller than the others, or the buffer of a message without memory from the budget.
    private byte[] partial = new byte[0];

    private int maxBytes;
    private int capacity;
    private int budgetBytes;
    private int usedBytes;
    private boolean closed;

    /// @param maxBytes of this message in memory, if the budget has them
    BlockChain(MemoryBudget budget, int maxBytes) {
        this.budget = budget;
        this.maxBytes = maxBytes;
        if (!grow()) {
            partial = new byte[Math.min(BYTES_WITHOUT_BUDGET, maxBytes)];
            capacity = partial.length;
            this.maxBytes = capacity;
        }
    }

    /// Appends the next bytes, as many as fit.
    ///
    /// @return the number of bytes appended; 0 if the chain is full
    int append(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && (usedBytes < capacity || grow())) {
            int offset = findOffset(usedBytes);
            int count = Math.min(to - at, Math.min(capacity - usedBytes, BlockPool.BLOCK_BYTES - offset));
            System.arraycopy(bytes, at, findBlock(usedBytes), offset, count);
            usedBytes += count;
            at += count;
        }
        return at - from;
    }

    /// Adds a block. False if the chain has its maximum size or the budget is exhausted; then it never grows
    /// again.
    private boolean grow() {
        int additional = Math.min(BlockPool.BLOCK_BYTES, maxBytes - capacity);
        if (additional == 0 || !budget.take(additional)) {
            maxBytes = capacity;
            return false;
        }
        budgetBytes += additional;
        capacity += additional;
        if (additional == BlockPool.BLOCK_BYTES) {
            blocks.add(budget.blocks().take());
        } else {
            partial = new byte[additional];
        }
        return true;
    }

    private byte[] findBlock(int at) {
        int block = at / BlockPool.BLOCK_BYTES;
        return block < blocks.size() ? blocks.get(block).bytes() : partial;
    }

    private static int findOffset(int at) {
        return at % BlockPool.BLOCK_BYTES;
    }

    /// The number of bytes; after [#close()], the number there was.
    int size() {
        return usedBytes;
    }

    /// The last byte. The chain must not be empty.
    byte lastByte() {
        return findBlock(usedBytes - 1)[findOffset(usedBytes - 1)];
    }

    /// Writes the bytes to a file and empties the chain, which keeps its capacity.
    void moveTo(FileChannel file) throws IOException {
        for (int at = 0; at < usedBytes; at += BlockPool.BLOCK_BYTES) {
            ByteBuffer bytes = ByteBuffer.wrap(findBlock(at), 0, Math.min(usedBytes - at, BlockPool.BLOCK_BYTES));
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        }
        usedBytes = 0;
    }

    /// Reads the current bytes. Fails after [#close()], as the blocks may then belong to another message.
    InputStream open() {
        return new ChainStream();
    }

    @Override
    public void close() {
        closed = true;
        blocks.forEach(BlockPool.Block::close);
        budget.giveBack(budgetBytes);
        budgetBytes = 0;
    }

    private final class ChainStream extends BlockStream {
        private final int end = usedBytes;
        private int at;

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int count = Math.min(length, countInBlock());
            if (count == 0) {
                return length == 0 ? 0 : -1;
            }
            System.arraycopy(findBlock(at), findOffset(at), target, offset, count);
            at += count;
            return count;
        }

        @Override
        public long transferTo(OutputStream out) throws IOException {
            long from = at;
            while (at < end) {
                int count = countInBlock();
                out.write(findBlock(at), findOffset(at), count);
                at += count;
            }
            return at - from;
        }

        /// The unread bytes of the current block.
        private int countInBlock() throws IOException {
            if (closed) {
                throw new IOException("the message is closed");
            }
            return Math.min(end - at, BlockPool.BLOCK_BYTES - findOffset(at));
        }
    }
}
