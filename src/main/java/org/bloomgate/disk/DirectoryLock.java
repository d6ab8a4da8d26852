package org.bloomgate.disk;

import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The right to write the hourly files of a directory: an advisory lock on `.lock`, which the system releases when its
/// holder dies. The file stays: deleting it would let two holders in.
public final class DirectoryLock implements AutoCloseable {
    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    /// @throws IOException when another gateway holds it
    public static DirectoryLock acquire(Path directory) throws IOException {
        Files.createDirectories(directory);
        Path lock = directory.resolve(".lock");
        PrivateFile.create(lock);
        FileChannel channel = FileChannel.open(lock, WRITE);
        boolean locked = false;
        try {
            locked = channel.tryLock() != null;
        } catch (OverlappingFileLockException withinThisProcess) {
            locked = false;
        } finally {
            if (!locked) {
                channel.close();
            }
        }
        if (!locked) {
            throw new IOException(directory + " is another gateway's: give each its own journal.keys.directory");
        }
        return new DirectoryLock(channel);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
