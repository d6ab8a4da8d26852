package org.bloomgate.server.milter;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// The connection of a mail server, with what a watch on another thread may do to it: end it when it has been silent or
/// deaf for too long, and report progress while its command is worked on.
///
/// Commands are read and answered by one thread.
final class Connection implements AutoCloseable {
    /// The time for the first frame to arrive.
    static final Duration FIRST_FRAME = Duration.ofSeconds(5);

    /// The time for a later frame: the mail server keeps the connection as long as its own client stays.
    static final Duration IDLE = Duration.ofMinutes(10);

    /// The time for the mail server to read an answer.
    static final Duration WRITE = Duration.ofMinutes(1);

    /// Postfix waits 30 seconds for the answer to a command, and from again after each word of progress.
    static final Duration PROGRESS = Duration.ofSeconds(5);

    private enum Doing {
        READING_FIRST(FIRST_FRAME),
        READING(IDLE),
        WORKING(PROGRESS),
        WRITING(WRITE);

        private final Duration limit;

        Doing(Duration limit) {
            this.limit = limit;
        }
    }

    private final ByteChannel channel;
    private final FrameReader frames;
    private final ReentrantLock output = new ReentrantLock();
    private boolean owesAnswer;
    private boolean negotiated;
    private volatile Optional<Thread> worker = Optional.empty();

    /// Written before `doing`, so that a reader of that sees a time not before its start.
    private volatile long since = System.nanoTime();

    private volatile Doing doing = Doing.READING_FIRST;

    Connection(ByteChannel channel) {
        this.channel = channel;
        this.frames = new FrameReader(channel);
    }

    /// Waits for the next frame. Empty when the mail server has closed.
    Optional<Frame> next() throws IOException {
        now(negotiated ? Doing.READING : Doing.READING_FIRST);
        Optional<Frame> frame = frames.next(negotiated ? FrameReader.MAX_BYTES : FrameReader.MAX_FIRST_BYTES);
        negotiated = true;
        worker = Optional.of(Thread.currentThread());
        now(Doing.WORKING);
        return frame;
    }

    /// Until its answer, the command may be reported as in progress.
    void oweAnswer() {
        output.lock();
        try {
            owesAnswer = true;
        } finally {
            output.unlock();
        }
    }

    void answer(List<Answer> answers) throws IOException {
        output.lock();
        try {
            owesAnswer = false;
            now(Doing.WRITING);
            write(answers);
        } finally {
            output.unlock();
        }
    }

    private void write(List<Answer> answers) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        answers.forEach(answer -> answer.writeTo(bytes));
        ByteBuffer all = ByteBuffer.wrap(bytes.toByteArray());
        while (all.hasRemaining()) {
            channel.write(all);
        }
    }

    private void now(Doing next) {
        since = System.nanoTime();
        doing = next;
    }

    /// Called by the watch: closes the connection, or reports that its command is in progress, if it is time
    /// for that. The report is written on its own thread, as a mail server that does not read would block the
    /// watch.
    void watch() {
        Doing seen = doing;
        if (System.nanoTime() - since < seen.limit.toNanos()) {
            return;
        }
        switch (seen) {
            case WORKING -> Thread.ofVirtual().name("milter-progress").start(this::reportProgress);
            case READING_FIRST, READING, WRITING -> close();
        }
    }

    private void reportProgress() {
        if (!output.tryLock()) {
            return;
        }
        try {
            if (owesAnswer && doing == Doing.WORKING) {
                since = System.nanoTime();
                write(List.of(Answer.PROGRESS));
            }
        } catch (IOException e) {
            close();
        } finally {
            output.unlock();
        }
    }

    /// By the session's thread, when it is over.
    void releaseMemory() {
        frames.close();
    }

    /// Interrupts the work on a command, if another thread does it: its answer cannot be sent any more.
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // nothing more is wanted of it
        }
        if (doing == Doing.WORKING) {
            worker.filter(thread -> !thread.equals(Thread.currentThread())).ifPresent(Thread::interrupt);
        }
    }
}
