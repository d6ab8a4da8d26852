package org.bloomgate.server.milter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class MtaConnectionTest {
    /// A mail server that has sent one command.
    private static final class OneCommand implements ByteChannel {
        private final ByteBuffer sent = ByteBuffer.wrap(HexFormat.of().parseHex("0000000151"));
        private volatile boolean open = true;

        @Override
        public int read(ByteBuffer into) {
            int count = Math.min(into.remaining(), sent.remaining());
            into.put(into.position(), sent, sent.position(), count);
            into.position(into.position() + count);
            sent.position(sent.position() + count);
            return count == 0 ? -1 : count;
        }

        @Override
        public int write(ByteBuffer answer) {
            int count = answer.remaining();
            answer.position(answer.limit());
            return count;
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void close() {
            open = false;
        }
    }

    private final OneCommand channel = new OneCommand();
    private final MtaConnection connection = new MtaConnection(channel);
    private final CountDownLatch begun = new CountDownLatch(1);

    private boolean workUntilInterrupted() throws IOException {
        assertTrue(connection.next().isPresent());
        begun.countDown();
        try {
            new CountDownLatch(1).await();
            return false;
        } catch (InterruptedException closed) {
            return true;
        }
    }

    @Test
    void closedWhileACommandIsWorkedOn_interruptsTheWork() throws Exception {
        FutureTask<Boolean> work = new FutureTask<>(this::workUntilInterrupted);
        Thread.ofVirtual().start(work);
        begun.await();
        connection.close();
        assertTrue(work.get());
        assertFalse(channel.isOpen());
    }

    @Test
    void closedByItsOwnThread_interruptsNobody() throws IOException {
        assertTrue(connection.next().isPresent());
        connection.close();
        assertFalse(Thread.interrupted());
    }

    @Test
    void closedAfterTheAnswer_interruptsNobody() throws IOException {
        assertEquals('Q', connection.next().orElseThrow().command());
        connection.send(List.of(MilterResponse.CONTINUE));
        connection.close();
        assertFalse(Thread.interrupted());
    }
}
