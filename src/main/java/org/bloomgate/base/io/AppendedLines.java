package org.bloomgate.base.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Lines that are added and never changed, in a file and the one before it: when the file holds half of what both may,
/// it takes the place of `FILE.1`, and a new one begins. Safe between threads and between processes, by a lock on
/// `FILE.lock`.
///
/// A line is on the disk when it is appended. A full disk leaves nothing of it, a kill at most a part at the end, which
/// readers pass over and the next append cuts off.
///
/// @param maxBytes of both files together
public record AppendedLines(Path file, long maxBytes) {
    /// Longer ones are refused.
    public static final int MAX_LINE_BYTES = 64 << 10;

    private static final Duration LOCK_WITHIN = Duration.ofSeconds(5);

    /// @throws IOException when they cannot be kept, or one is too long
    public void append(List<String> lines) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String line : lines) {
            byte[] one = (line + '\n').getBytes(UTF_8);
            if (one.length > MAX_LINE_BYTES) {
                throw new IOException(file + ": a line of more than " + MAX_LINE_BYTES + " bytes is not kept");
            }
            bytes.writeBytes(one);
        }
        try (LockFile _ = lock()) {
            if (Files.exists(file) && Files.size(file) + bytes.size() > maxBytes / 2) {
                DurableFiles.rename(file, before());
            }
            boolean fresh = !Files.exists(file);
            PrivateFile.create(file);
            try (FileChannel channel = StateFile.open(file, maxBytes, CREATE, READ, WRITE)) {
                write(channel, bytes.toByteArray());
            }
            if (fresh) {
                DurableFiles.force(folder());
            }
        }
    }

    /// All of them or, when the disk refuses, none.
    private static void write(FileChannel channel, byte[] bytes) throws IOException {
        WholeLines.cut(channel);
        long before = channel.size();
        ByteBuffer lines = ByteBuffer.wrap(bytes);
        try {
            while (lines.hasRemaining()) {
                channel.write(lines, before + lines.position());
            }
            channel.force(true);
        } catch (IOException refused) {
            FileChannel _ = channel.truncate(before);
            throw refused;
        }
    }

    /// All that is kept, the oldest first, but for a part of a line at the end. Needs no right to write.
    public List<String> read() throws IOException {
        List<String> lines = new ArrayList<>();
        Object turned;
        do {
            turned = key(before());
            lines.clear();
            lines.addAll(lines(before()));
            lines.addAll(lines(file));
        } while (!turned.equals(key(before())));
        return lines;
    }

    /// Another one when another file has the name.
    private static Object key(Path of) throws IOException {
        try {
            BasicFileAttributes is = Files.readAttributes(of, BasicFileAttributes.class);
            return List.of(String.valueOf(is.fileKey()), is.lastModifiedTime());
        } catch (NoSuchFileException none) {
            return "";
        }
    }

    private List<String> lines(Path of) throws IOException {
        try {
            String text = new String(StateFile.bytes(of, Math.toIntExact(maxBytes)), UTF_8);
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        } catch (NoSuchFileException none) {
            return List.of();
        }
    }

    private LockFile lock() throws IOException {
        return LockFile.hold(folder(), file.getFileName() + ".lock", LOCK_WITHIN);
    }

    private Path folder() {
        Path folder = file.toAbsolutePath().getParent();
        return folder == null ? file.toAbsolutePath().getRoot() : folder;
    }

    private Path before() {
        return file.resolveSibling(file.getFileName() + ".1");
    }
}
