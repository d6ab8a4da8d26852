package org.bloomgate.server.spool;

import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.bloomgate.base.io.BlockStream;
import org.bloomgate.base.io.Token;
import org.bloomgate.server.nexthop.MessageBytes;

/// One message while it is evaluated: in memory up to a bound, the rest in a temporary file. If the memory
/// budget of all sessions is exhausted, the message goes to the file too. On POSIX systems the file is deleted
/// as soon as it is open, so that not even a killed process leaves it behind; elsewhere [#removeLeftovers]
/// deletes it.
public final class MessageSpool implements MessageBytes, AutoCloseable {
    private static final String PREFIX = "message-";

    /// Why the message is not in the spool.
    public enum Fault {
        TOO_LARGE,
        DISK
    }

    private final BlockChain memory;
    private final long maxBytes;
    private final Path directory;
    private Optional<FileChannel> file = Optional.empty();
    private long fileBytes;
    private Optional<Fault> fault = Optional.empty();
    private String faultText = "";

    /// @param memoryBytes of this message at most, if the budget has them
    /// @param directory of the temporary file
    public MessageSpool(MemoryBudget budget, int memoryBytes, Path directory, long maxBytes) {
        this.memory = new BlockChain(budget, memoryBytes);
        this.maxBytes = maxBytes;
        this.directory = directory;
    }

    /// Removes files that a killed process has left in the directory for temporary files.
    public static void removeLeftovers(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "?".repeat(Token.LENGTH))) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }

    /// Appends bytes. A failure is recorded in [#fault()].
    public void write(byte[] bytes, int from, int to) {
        if (fault.isPresent()) {
            return;
        }
        if (sizeBytes() + (to - from) > maxBytes) {
            fail(Fault.TOO_LARGE, "larger than " + maxBytes + " bytes");
            return;
        }
        try {
            for (int at = from; at < to; ) {
                at += memory.append(bytes, at, to);
                if (at < to) {
                    spill();
                }
            }
        } catch (IOException e) {
            fail(Fault.DISK, e.toString());
        }
    }

    private void spill() throws IOException {
        if (file.isEmpty()) {
            file = Optional.of(FileChannel.open(
                    directory.resolve(PREFIX + Token.generate()),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE));
        }
        int moved = memory.size();
        memory.moveTo(file.get());
        fileBytes += moved;
    }

    private void fail(Fault kind, String text) {
        fault = Optional.of(kind);
        faultText = text;
        close();
    }

    /// The fault if the message is not complete in the spool; then it must not be opened.
    public Optional<Fault> fault() {
        return fault;
    }

    /// The fault, for the log.
    public String faultText() {
        return faultText;
    }

    @Override
    public long sizeBytes() {
        return fileBytes + memory.size();
    }

    /// The last bytes are always in memory, and a message has no bare LF.
    @Override
    public boolean endsWithCrlf() {
        return sizeBytes() == 0 || memory.lastByte() == '\n';
    }

    @Override
    public InputStream open() throws IOException {
        InputStream tail = memory.open();
        return file.isEmpty() ? tail : new SequenceInputStream(new FileHead(file.get()), tail);
    }

    @Override
    public void close() {
        memory.close();
        try {
            if (file.isPresent()) {
                file.get().close();
            }
        } catch (IOException e) {
            // the file is not used any more
        }
        file = Optional.empty();
    }

    /// Reads the part in the file, with its own position, so that several readers do not interfere.
    private static final class FileHead extends BlockStream {
        private final FileChannel channel;
        private long at;

        FileHead(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = channel.read(ByteBuffer.wrap(bytes, offset, length), at);
            at += Math.max(count, 0);
            return count;
        }
    }
}
