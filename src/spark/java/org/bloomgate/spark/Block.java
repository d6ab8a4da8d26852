package org.bloomgate.spark;

import java.io.ByteArrayOutputStream;
import java.io.Serializable;
import java.util.Arrays;

/// What goes from a task that reads to one that sorts: records as a run has them, each with its key, in no order; or
/// the counts of a split.
///
/// @param counts whether it is counts
record Block(boolean counts, byte[] bytes) implements Serializable {
    @Override
    public boolean equals(Object other) {
        return other instanceof Block block && counts == block.counts && Arrays.equals(bytes, block.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /// Records of one partition, until they are enough for a block.
    static final class Open {
        private static final int BYTES = 1 << 20;

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        boolean isFull() {
            return bytes.size() >= BYTES;
        }

        boolean isEmpty() {
            return bytes.size() == 0;
        }

        /// @param key kind code and bytes
        void add(byte[] key, int source, long count) {
            number(key.length);
            bytes.write(key, 0, key.length);
            number(source);
            number(count);
        }

        private void number(long number) {
            long rest = number;
            while (rest >>> 7 != 0) {
                bytes.write((int) (rest | 0x80));
                rest >>>= 7;
            }
            bytes.write((int) rest);
        }

        Block take() {
            Block block = new Block(false, bytes.toByteArray());
            bytes.reset();
            return block;
        }
    }
}
