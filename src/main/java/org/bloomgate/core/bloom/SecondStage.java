package org.bloomgate.core.bloom;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The second test, for keys whose bits are all set in their first line.
sealed interface SecondStage {
    /// Returns false if the key was certainly not inserted.
    boolean mightContain(long keyHash);

    /// A second line of the same filter, chosen by a second word.
    record SecondLine(MemorySegment words, int bitsPerLine) implements SecondStage {
        @Override
        public boolean mightContain(long keyHash) {
            long word = TwoLine.second(keyHash);
            MemorySegment body = words;
            return TwoLine.missing(body, TwoLine.line(word, BloomFilter.lines(body)), word, bitsPerLine) == 0;
        }
    }

    /// Fingerprints of 16 bits.
    ///
    /// @param body the bytes of the fuse filter
    record Fuse(MemorySegment body, FuseShape shape) implements SecondStage {
        @Override
        public boolean mightContain(long keyHash) {
            int shard = shape.shard(keyHash);
            long word = FuseShape.word(keyHash, shard, body.get(ValueLayout.JAVA_BYTE, shard) & 0xff);
            return FuseShape.print(word) == (print(shard, 0, word) ^ print(shard, 1, word) ^ print(shard, 2, word));
        }

        private short print(int shard, int way, long word) {
            return body.get(FuseShard.PRINT, shape.at(shard) + (long) shape.place(way, word) * Short.BYTES);
        }
    }
}
