package org.bloomgate.snapshot;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The right to change a layer: an advisory lock on `<layer>/.lock`, which the system releases when its holder
/// dies. The file itself stays: deleting it would let two holders in.
final class LayerLock implements AutoCloseable {
    /// Locks of this process. POSIX locks belong to the process, and closing any channel on the file gives them
    /// up: a second holder in the same process must be turned away before it opens one.
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;

    private LayerLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /// @throws LayerBusyException when another process or thread holds it
    static LayerLock acquire(LayerDirectory layer) throws IOException {
        Path file = Files.createDirectories(layer.path()).toRealPath().resolve(".lock");
        if (!HELD.add(file)) {
            throw new LayerBusyException(layer.name(), file);
        }
        try {
            return new LayerLock(file, lock(layer, file));
        } catch (IOException e) {
            HELD.remove(file);
            throw e;
        }
    }

    private static FileChannel lock(LayerDirectory layer, Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, CREATE, WRITE);
        boolean locked = false;
        try {
            locked = channel.tryLock() != null;
        } finally {
            if (!locked) {
                channel.close();
            }
        }
        if (!locked) {
            throw new LayerBusyException(layer.name(), file);
        }
        return channel;
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            HELD.remove(file);
        }
    }
}
