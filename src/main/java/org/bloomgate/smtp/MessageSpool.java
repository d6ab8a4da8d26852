package org.bloomgate.smtp;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import org.bloomgate.journal.Token;

/// Holds one message while it is judged: in memory up to a bound, the rest in a temporary file. On POSIX systems the
/// file loses its name as soon as it is open, so that not even a killed process leaves it behind.
final class MessageSpool implements MessageSink, MessageOctets, AutoCloseable {
    private static final int FIRST_BYTES = 16 * 1024;

    /// Why the message is not held.
    enum Fault {
        TOO_LARGE,
        DISK
    }

    private final long maxBytes;
    private final int memoryBytes;
    private final Path directory;
    private byte[] memory;
    private int used;
    private Optional<FileChannel> file = Optional.empty();
    private long fileBytes;
    private Optional<Fault> fault = Optional.empty();
    private String faultText = "";

    /// @param directory of the temporary file
    /// @param expectedBytes as the client announced; 0 when it did not
    MessageSpool(int memoryBytes, Path directory, long maxBytes, long expectedBytes) {
        this.maxBytes = maxBytes;
        this.memoryBytes = memoryBytes;
        this.directory = directory;
        this.memory = new byte[Math.clamp(expectedBytes, Math.min(FIRST_BYTES, memoryBytes), memoryBytes)];
    }

    @Override
    public void write(byte[] octets, int from, int to) {
        if (fault.isPresent()) {
            return;
        }
        if (sizeBytes() + (to - from) > maxBytes) {
            fail(Fault.TOO_LARGE, "larger than " + maxBytes + " bytes");
            return;
        }
        try {
            for (int at = from; at < to; ) {
                makeRoom(to - at);
                int count = Math.min(to - at, memory.length - used);
                System.arraycopy(octets, at, memory, used, count);
                used += count;
                at += count;
            }
        } catch (IOException e) {
            fail(Fault.DISK, e.toString());
        }
    }

    private void makeRoom(int bytes) throws IOException {
        if (used + bytes <= memory.length) {
            return;
        }
        if (memory.length < memoryBytes) {
            long wanted = Math.max(used + (long) bytes, memory.length * 2L);
            memory = Arrays.copyOf(memory, (int) Math.min(wanted, memoryBytes));
        } else if (used == memory.length) {
            spill();
        }
    }

    private void spill() throws IOException {
        if (file.isEmpty()) {
            file = Optional.of(FileChannel.open(
                    directory.resolve("message-" + Token.next()),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE));
        }
        FileChannel channel = file.get();
        ByteBuffer octets = ByteBuffer.wrap(memory, 0, used);
        while (octets.hasRemaining()) {
            fileBytes += channel.write(octets);
        }
        used = 0;
    }

    private void fail(Fault kind, String text) {
        fault = Optional.of(kind);
        faultText = text;
        close();
    }

    /// Set when the message is not held in full; then it must not be opened.
    Optional<Fault> fault() {
        return fault;
    }

    /// What happened, for the log.
    String faultText() {
        return faultText;
    }

    @Override
    public long sizeBytes() {
        return fileBytes + used;
    }

    @Override
    public InputStream open() throws IOException {
        InputStream tail = new ByteArrayInputStream(memory, 0, used);
        return file.isEmpty() ? tail : new SequenceInputStream(new FileHead(file.get()), tail);
    }

    @Override
    public void close() {
        memory = new byte[0];
        try {
            if (file.isPresent()) {
                file.get().close();
            }
        } catch (IOException e) {
            // nothing of it is wanted any more
        }
        file = Optional.empty();
    }

    /// Reads the spilled part at a position of its own, so that several readers do not disturb each other.
    private static final class FileHead extends InputStream {
        private final FileChannel channel;
        private long at;

        FileHead(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] octets, int offset, int length) throws IOException {
            int count = channel.read(ByteBuffer.wrap(octets, offset, length), at);
            at += Math.max(count, 0);
            return count;
        }
    }
}
