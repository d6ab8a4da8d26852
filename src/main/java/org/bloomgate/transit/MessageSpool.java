package org.bloomgate.transit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import org.bloomgate.journal.Token;
import org.bloomgate.nexthop.MessageOctets;

/// Holds one message while it is judged: in memory up to a bound, the rest in a temporary file. When the messages of
/// all sessions use up their budget, what it has no share for goes to the file as well. On POSIX systems the file
/// loses its name as soon as it is open, so that not even a killed process leaves it behind; elsewhere
/// [#removeLeftovers] does.
public final class MessageSpool implements MessageOctets, AutoCloseable {
    private static final byte[] NOTHING = {};

    /// What a message without a share is collected in on its way to the file.
    private static final int WITHOUT_SHARE_BYTES = 4 * 1024;

    private static final String PREFIX = "message-";

    /// Why the message is not held.
    public enum Fault {
        TOO_LARGE,
        DISK
    }

    private final MemoryBudget budget;
    private final long maxBytes;
    private int memoryBytes;
    private final Path directory;
    private byte[] memory;
    private Optional<BlockPool.Block> block = Optional.empty();
    private int share;
    private int used;
    private Optional<FileChannel> file = Optional.empty();
    private long fileBytes;
    private Optional<Fault> fault = Optional.empty();
    private String faultText = "";

    /// @param memoryBytes of this message at most, if the budget has them
    /// @param directory of the temporary file
    /// @param expectedBytes as the client announced; 0 when it did not
    public MessageSpool(MemoryBudget budget, int memoryBytes, Path directory, long maxBytes, long expectedBytes) {
        this.budget = budget;
        this.maxBytes = maxBytes;
        this.directory = directory;
        int first = Math.clamp(expectedBytes, Math.min(BlockPool.BLOCK_BYTES, memoryBytes), memoryBytes);
        boolean shared = budget.take(first);
        this.share = shared ? first : 0;
        this.memoryBytes = shared ? memoryBytes : Math.min(WITHOUT_SHARE_BYTES, memoryBytes);
        this.memory = shared && first == BlockPool.BLOCK_BYTES ? pooled() : new byte[Math.min(first, this.memoryBytes)];
    }

    private byte[] pooled() {
        block = Optional.of(budget.blocks().take());
        return block.get().octets();
    }

    /// False when the budget has no room; then the memory stays as large as it is.
    private boolean widen(int bytes) {
        if (!budget.take(bytes - share)) {
            memoryBytes = memory.length;
            return false;
        }
        share = bytes;
        memory = Arrays.copyOf(memory, bytes);
        giveBackBlock();
        return true;
    }

    private void giveBackBlock() {
        block.ifPresent(BlockPool.Block::close);
        block = Optional.empty();
    }

    /// Removes what a process that was killed has left in the directory for temporary files.
    public static void removeLeftovers(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "?".repeat(Token.LENGTH))) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }

    /// Takes the next octets. What goes wrong is remembered and asked for at the end.
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
        long wanted = Math.min(Math.max(used + (long) bytes, memory.length * 2L), memoryBytes);
        boolean wider = memory.length < memoryBytes && widen((int) wanted);
        if (!wider && used == memory.length) {
            spill();
        }
    }

    private void spill() throws IOException {
        if (file.isEmpty()) {
            file = Optional.of(FileChannel.open(
                    directory.resolve(PREFIX + Token.next()),
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
    public Optional<Fault> fault() {
        return fault;
    }

    /// What happened, for the log.
    public String faultText() {
        return faultText;
    }

    @Override
    public long sizeBytes() {
        return fileBytes + used;
    }

    /// What is written last stays in memory, and a message has no bare LF.
    @Override
    public boolean endsLine() {
        return sizeBytes() == 0 || memory[used - 1] == '\n';
    }

    @Override
    public InputStream open() throws IOException {
        InputStream tail = new Tail();
        return file.isEmpty() ? tail : new SequenceInputStream(new FileHead(file.get()), tail);
    }

    @Override
    public void close() {
        memory = NOTHING;
        giveBackBlock();
        budget.giveBack(share);
        share = 0;
        try {
            if (file.isPresent()) {
                file.get().close();
            }
        } catch (IOException e) {
            // nothing of it is wanted any more
        }
        file = Optional.empty();
    }

    /// Reads what is in memory, as long as the spool is open: later the block is another mail's.
    private final class Tail extends InputStream {
        private final byte[] octets = memory;
        private final int end = used;
        private int at;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int wanted) throws IOException {
            requireOpen();
            int count = Math.min(wanted, end - at);
            System.arraycopy(octets, at, target, offset, count);
            at += count;
            return count > 0 || wanted == 0 ? count : -1;
        }

        @Override
        public long transferTo(OutputStream out) throws IOException {
            long from = at;
            while (at < end) {
                requireOpen();
                int count = Math.min(end - at, BlockPool.BLOCK_BYTES);
                at += count;
                out.write(octets, at - count, count);
            }
            return at - from;
        }

        @SuppressWarnings("ReferenceEquality")
        private void requireOpen() throws IOException {
            if (octets != memory) {
                throw new IOException("the message is held no longer");
            }
        }
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
