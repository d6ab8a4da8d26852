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

/// A file of lines that are only appended, with one predecessor: when the file reaches half of the bound it is
/// renamed to `FILE.1`, which replaces the predecessor, and a new file begins. Safe between threads and between
/// processes, by a lock on `FILE.lock`.
///
/// Lines are on disk when [#append] returns. A full disk leaves none of them; a kill leaves at most an
/// incomplete line at the end, which readers skip and the next append cuts off.
///
/// @param maxBytes of both files together
public record AppendedLines(Path file, long maxBytes) {
    /// Longer lines are rejected.
    public static final int MAX_LINE_BYTES = 64 << 10;

    private static final Duration LOCK_WITHIN = Duration.ofSeconds(5);

    /// Appends all lines, or none if the write fails.
    ///
    /// @throws IOException if the lines cannot be written, or one is too long
    public void append(List<String> lines) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String line : lines) {
            byte[] lineBytes = (line + '\n').getBytes(UTF_8);
            if (lineBytes.length > MAX_LINE_BYTES) {
                throw new IOException(file + ": a line of more than " + MAX_LINE_BYTES + " bytes is not kept");
            }
            bytes.writeBytes(lineBytes);
        }
        try (LockFile _ = lock()) {
            if (Files.exists(file) && Files.size(file) + bytes.size() > maxBytes / 2) {
                DurableFiles.rename(file, predecessor());
            }
            boolean isNew = !Files.exists(file);
            PrivateFile.create(file);
            try (FileChannel channel = StateFile.open(file, maxBytes, CREATE, READ, WRITE)) {
                write(channel, bytes.toByteArray());
            }
            if (isNew) {
                DurableFiles.force(folder());
            }
        }
    }

    /// Appends all bytes, or none if the write fails.
    private static void write(FileChannel channel, byte[] bytes) throws IOException {
        LineTruncation.truncate(channel);
        long size = channel.size();
        ByteBuffer lines = ByteBuffer.wrap(bytes);
        try {
            while (lines.hasRemaining()) {
                channel.write(lines, size + lines.position());
            }
            channel.force(true);
        } catch (IOException e) {
            FileChannel _ = channel.truncate(size);
            throw e;
        }
    }

    /// The lines of both files, the oldest first, without an incomplete one at the end. Needs no write
    /// permission.
    public List<String> read() throws IOException {
        List<String> lines = new ArrayList<>();
        Object identity;
        do {
            identity = readIdentity(predecessor());
            lines.clear();
            lines.addAll(readLines(predecessor()));
            lines.addAll(readLines(file));
        } while (!identity.equals(readIdentity(predecessor())));
        return lines;
    }

    /// The identity of the file with this name: it changes when another file gets the name.
    private static Object readIdentity(Path file) throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return List.of(String.valueOf(attributes.fileKey()), attributes.lastModifiedTime());
        } catch (NoSuchFileException _) {
            return "";
        }
    }

    private List<String> readLines(Path path) throws IOException {
        try {
            String text = new String(StateFile.bytes(path, Math.toIntExact(maxBytes)), UTF_8);
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        } catch (NoSuchFileException _) {
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

    private Path predecessor() {
        return file.resolveSibling(file.getFileName() + ".1");
    }
}
