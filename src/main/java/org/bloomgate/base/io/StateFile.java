package org.bloomgate.base.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Opens the files that Bloomgate keeps in its folders. Someone else may have replaced them: opening a pipe
/// would block, and a device has no end. So a file is opened only if it is a regular file, not a symbolic link,
/// not longer than a bound, and belongs to the owner of its folder, to root, or to the user of this process.
/// Folders may be symbolic links.
public final class StateFile {
    private static final int ROOT = 0;
    private static final Path PROCESS = Path.of("/proc/self");

    private StateFile() {}

    /// Thrown for an existing file that is not opened; the message has the file, the reason, and what to do.
    public static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        RefusedException(Path file, String why) {
            super(file + ": " + why + "; move it away or restore it");
        }
    }

    /// Opens a channel, for reading unless the options say otherwise.
    ///
    /// @throws NoSuchFileException if the file does not exist and the options do not create it
    /// @throws RefusedException if it does not meet the conditions of this class
    public static FileChannel open(Path file, long maxBytes, StandardOpenOption... options) throws IOException {
        boolean creates = List.of(options).contains(StandardOpenOption.CREATE);
        if (!creates || Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            check(file, maxBytes);
        }
        Set<OpenOption> allOptions = new HashSet<>(List.of(options));
        allOptions.add(LinkOption.NOFOLLOW_LINKS);
        return FileChannel.open(file, allOptions);
    }

    /// Opens a stream, for readers that have a bound of their own.
    ///
    /// @throws IOException as of [#open]
    public static InputStream stream(Path file) throws IOException {
        return Channels.newInputStream(open(file, Long.MAX_VALUE));
    }

    /// All bytes that the file has when it is opened.
    ///
    /// @throws IOException as of [#open]
    public static byte[] bytes(Path file, int maxBytes) throws IOException {
        try (FileChannel channel = open(file, maxBytes)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(channel.size(), maxBytes));
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
            return bytes.hasRemaining() ? Arrays.copyOf(bytes.array(), bytes.position()) : bytes.array();
        }
    }

    private static void check(Path file, long maxBytes) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isRegularFile()) {
            throw new RefusedException(file, attributes.isSymbolicLink() ? "a symbolic link" : "not a regular file");
        }
        if (attributes.size() > maxBytes) {
            throw new RefusedException(file, "longer than " + maxBytes + " bytes");
        }
        Path folder = file.toAbsolutePath().getParent();
        int owner = readOwner(file, LinkOption.NOFOLLOW_LINKS);
        if (owner != ROOT && owner != readOwner(folder == null ? file : folder) && owner != readOwner(PROCESS)) {
            throw new RefusedException(file, "belongs to user " + owner + ", who does not own its folder");
        }
    }

    /// The owner's user number; that of root where the file system has no user numbers.
    private static int readOwner(Path file, LinkOption... links) throws IOException {
        try {
            Map<String, Object> attributes = Files.readAttributes(file, "unix:uid", links);
            return (int) attributes.getOrDefault("uid", ROOT);
        } catch (UnsupportedOperationException | IllegalArgumentException _) {
            return ROOT;
        }
    }
}
