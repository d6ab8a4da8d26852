package org.bloomgate.server.milter;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// The connection of a mail server. One thread reads commands and answers them. A watch on another thread
/// closes the connection if the mail server sends or reads nothing for too long, and reports progress during a
/// long command.
final class MtaConnection implements AutoCloseable {
    /// The longest wait for the first frame.
    static final Duration FIRST_FRAME_TIMEOUT = Duration.ofSeconds(5);

    /// The longest wait for a later frame: the mail server keeps the connection as long as its own client
    /// stays.
    static final Duration IDLE_TIMEOUT = Duration.ofMinutes(10);

    /// The longest time for the mail server to read an answer.
    static final Duration WRITE_TIMEOUT = Duration.ofMinutes(1);

    /// The time between progress reports. Postfix waits 30 seconds for the answer to a command, and again after each
    /// report.
    static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(5);

    private enum Activity {
        READING_FIRST(FIRST_FRAME_TIMEOUT),
        READING(IDLE_TIMEOUT),
        WORKING(PROGRESS_INTERVAL),
        WRITING(WRITE_TIMEOUT);

        private final Duration limit;

        Activity(Duration limit) {
            this.limit = limit;
        }
    }

    private final ByteChannel channel;
    private final FrameReader frames;
    private final ReentrantLock output = new ReentrantLock();
    private boolean isAnswerDue;
    private boolean isNegotiated;
    private volatile Optional<Thread> worker = Optional.empty();

    /// Written before `activity`, so that a thread that reads both never sees an older start.
    private volatile long activitySince = System.nanoTime();

    private volatile Activity activity = Activity.READING_FIRST;

    MtaConnection(ByteChannel channel) {
        this.channel = channel;
        this.frames = new FrameReader(channel);
    }

    /// Waits for the next frame. Empty if the mail server has closed the connection.
    Optional<Frame> next() throws IOException {
        startActivity(isNegotiated ? Activity.READING : Activity.READING_FIRST);
        Optional<Frame> frame = frames.next(isNegotiated ? FrameReader.MAX_BYTES : FrameReader.MAX_FIRST_BYTES);
        isNegotiated = true;
        worker = Optional.of(Thread.currentThread());
        startActivity(Activity.WORKING);
        return frame;
    }

    /// Allows progress reports until the answer is sent.
    void expectAnswer() {
        output.lock();
        try {
            isAnswerDue = true;
        } finally {
            output.unlock();
        }
    }

    void send(List<MilterResponse> responses) throws IOException {
        output.lock();
        try {
            isAnswerDue = false;
            startActivity(Activity.WRITING);
            write(responses);
        } finally {
            output.unlock();
        }
    }

    private void write(List<MilterResponse> responses) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        responses.forEach(response -> response.writeTo(bytes));
        ByteBuffer all = ByteBuffer.wrap(bytes.toByteArray());
        while (all.hasRemaining()) {
            channel.write(all);
        }
    }

    private void startActivity(Activity next) {
        activitySince = System.nanoTime();
        activity = next;
    }

    /// Called regularly by the watch: closes the connection or reports progress when it is due. The
    /// report is written on its own thread, as a mail server that does not read would block the watch.
    void watch() {
        Activity current = activity;
        if (System.nanoTime() - activitySince < current.limit.toNanos()) {
            return;
        }
        switch (current) {
            case WORKING -> Thread.ofVirtual().name("milter-progress").start(this::reportProgress);
            case READING_FIRST, READING, WRITING -> close();
        }
    }

    private void reportProgress() {
        if (!output.tryLock()) {
            return;
        }
        try {
            if (isAnswerDue && activity == Activity.WORKING) {
                activitySince = System.nanoTime();
                write(List.of(MilterResponse.PROGRESS));
            }
        } catch (IOException e) {
            close();
        } finally {
            output.unlock();
        }
    }

    /// Called by the session's thread at its end.
    void releaseMemory() {
        frames.releaseMemory();
    }

    /// Interrupts the work on a command, if another thread does it: its answer cannot be sent any more.
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // the connection is not used any more
        }
        if (activity == Activity.WORKING) {
            worker.filter(thread -> !thread.equals(Thread.currentThread())).ifPresent(Thread::interrupt);
        }
    }
}
