package org.bloomgate.server.spool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockPoolTest {
    private final BlockPool pool = new BlockPool();

    @Test
    void aBlockIsUsedAgainAndHoldsNothingOfBefore() {
        BlockPool.Block first = pool.take();
        byte[] bytes = first.bytes();
        Arrays.fill(bytes, (byte) 'x');
        first.close();
        BlockPool.Block second = pool.take();
        assertSame(bytes, second.bytes());
        assertArrayEquals(new byte[BlockPool.BLOCK_BYTES], second.bytes());
        assertEquals(0, first.bytes().length);
    }

    @Test
    void aBlockGivenBackTwiceIsGivenOutOnce() {
        BlockPool.Block block = pool.take();
        block.close();
        block.close();
        assertEquals(1, pool.freeBlocks());
        assertNotSame(pool.take().bytes(), pool.take().bytes());
    }

    @Test
    void noMoreThanTheBoundAreKept() {
        List<BlockPool.Block> many = new ArrayList<>();
        for (int i = 0; i <= BlockPool.MAX_FREE; i++) {
            many.add(pool.take());
        }
        many.forEach(BlockPool.Block::close);
        assertEquals(BlockPool.MAX_FREE, pool.freeBlocks());
    }
}
