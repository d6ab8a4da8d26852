package org.bloomgate.rehearsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.IntSummaryStatistics;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MadeUpMailTest {
    private static final int BLOCK_BYTES = 32 * 1024;

    @Test
    void someMailOutgrowsTheBuffersThatMostFitsInto() {
        MadeUpMail mails = new MadeUpMail();
        IntSummaryStatistics sizes = IntStream.range(0, 1_000)
                .map(_ -> mails.session().message().length())
                .summaryStatistics();
        assertTrue(sizes.getAverage() < BLOCK_BYTES * 0.6, sizes::toString);
        assertTrue(sizes.getMax() > 3 * BLOCK_BYTES, sizes::toString);
        assertTrue(sizes.getMax() < 8 * BLOCK_BYTES, sizes::toString);
    }

    @Test
    void everyRunPlaysTheSameMail() {
        assertEquals(new MadeUpMail().session(), new MadeUpMail().session());
    }
}
