package org.bloomgate.server.spool;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;

/// Bytes of one message in memory: as many blocks as it needs, each taken from the budget first. A message that gets
/// no share is collected in a few bytes of its own on its way to the disk. Not thread-safe.
final class BlockChain implements AutoCloseable {
    /// The buffer of a message that has no memory from the budget.
    private static final int WITHOUT_SHARE_BYTES = 4 * 1024;

    private final MemoryBudget budget;
    private final List<BlockPool.Block> blocks = new ArrayList<>();

    /// Bytes outside blocks: a last piece that is smaller, or the whole message without memory from the budget.
    private byte[] own = new byte[0];

    private int most;
    private int room;
    private int share;
    private int used;
    private boolean closed;

    /// @param most bytes of this message, if the budget has them
    BlockChain(MemoryBudget budget, int most) {
        this.budget = budget;
        this.most = most;
        if (!widen()) {
            own = new byte[Math.min(WITHOUT_SHARE_BYTES, most)];
            room = own.length;
            this.most = room;
        }
    }

    /// Takes the next bytes, as many as fit.
    ///
    /// @return how many; 0 when it is full
    int take(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && (used < room || widen())) {
            int offset = offset(used);
            int count = Math.min(to - at, Math.min(room - used, BlockPool.BLOCK_BYTES - offset));
            System.arraycopy(bytes, at, block(used), offset, count);
            used += count;
            at += count;
        }
        return at - from;
    }

    /// False if it is large enough, or the budget is exhausted: then it keeps its size.
    private boolean widen() {
        int more = Math.min(BlockPool.BLOCK_BYTES, most - room);
        if (more == 0 || !budget.take(more)) {
            most = room;
            return false;
        }
        share += more;
        room += more;
        if (more == BlockPool.BLOCK_BYTES) {
            blocks.add(budget.blocks().take());
        } else {
            own = new byte[more];
        }
        return true;
    }

    private byte[] block(int at) {
        int block = at / BlockPool.BLOCK_BYTES;
        return block < blocks.size() ? blocks.get(block).bytes() : own;
    }

    private static int offset(int at) {
        return at % BlockPool.BLOCK_BYTES;
    }

    /// How many bytes there are; when closed, there were.
    int size() {
        return used;
    }

    /// The byte written last; there is one.
    byte last() {
        return block(used - 1)[offset(used - 1)];
    }

    /// Writes the content to a file and is empty afterwards, with the same capacity.
    void moveTo(FileChannel file) throws IOException {
        for (int at = 0; at < used; at += BlockPool.BLOCK_BYTES) {
            ByteBuffer bytes = ByteBuffer.wrap(block(at), 0, Math.min(used - at, BlockPool.BLOCK_BYTES));
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        }
        used = 0;
    }

    /// Reads what is in it now, as long as it is open: later the blocks are another message's.
    InputStream open() {
        return new Reading();
    }

    @Override
    public void close() {
        closed = true;
        blocks.forEach(BlockPool.Block::close);
        budget.giveBack(share);
        share = 0;
    }

    private final class Reading extends InputStream {
        private final int end = used;
        private int at;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int wanted) throws IOException {
            int count = Math.min(wanted, inBlock());
            if (count == 0) {
                return wanted == 0 ? 0 : -1;
            }
            System.arraycopy(block(at), offset(at), target, offset, count);
            at += count;
            return count;
        }

        @Override
        public long transferTo(OutputStream out) throws IOException {
            long from = at;
            while (at < end) {
                int count = inBlock();
                out.write(block(at), offset(at), count);
                at += count;
            }
            return at - from;
        }

        /// Bytes left of the block that is read.
        private int inBlock() throws IOException {
            if (closed) {
                throw new IOException("the message is held no longer");
            }
            return Math.min(end - at, BlockPool.BLOCK_BYTES - offset(at));
        }
    }
}
