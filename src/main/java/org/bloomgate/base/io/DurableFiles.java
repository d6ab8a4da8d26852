package org.bloomgate.base.io;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.READ;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// File operations whose effect is on the disk, not only in the page cache, when they return.
public final class DurableFiles {
    private DurableFiles() {}

    /// Changes a file.
    @FunctionalInterface
    public interface FileChange {
        void apply(Path file) throws IOException;
    }

    /// Replaces a small file by rename: a reader sees the old bytes or the new ones.
    public static void replace(Path file, byte[] bytes) throws IOException {
        replace(file, bytes, _ -> {});
    }

    /// Replaces a small file by rename.
    ///
    /// @param attributes sets permissions or times of the new file before it gets its name
    public static void replace(Path file, byte[] bytes, FileChange attributes) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.write(temporary, bytes);
        attributes.apply(temporary);
        force(temporary);
        Files.move(temporary, file, ATOMIC_MOVE);
        force(parent(file));
    }

    /// Renames a file or a directory whose content is on disk already.
    public static void rename(Path from, Path to) throws IOException {
        Files.move(from, to, ATOMIC_MOVE);
        force(parent(to));
    }

    /// Forces a file to disk, or a directory with the names that were created, renamed or deleted in it.
    public static void force(Path fileOrDirectory) throws IOException {
        try (FileChannel channel = FileChannel.open(fileOrDirectory, READ)) {
            channel.force(true);
        }
    }

    /// Forces every file and directory below, then the directory itself.
    public static void forceTree(Path directory) throws IOException {
        try (Stream<Path> entries = Files.walk(directory)) {
            for (Path entry : (Iterable<Path>) entries::iterator) {
                force(entry);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /// Deletes a file, or a directory with its content. It is not an error if it does not exist or vanishes
    /// meanwhile.
    public static void deleteTree(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e) throws IOException {
                if (e != null) {
                    throw e;
                }
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /// All regular files below, sorted by path.
    public static List<Path> regularFiles(Path directory) throws IOException {
        try (Stream<Path> entries = Files.walk(directory)) {
            return entries.filter(entry -> Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static Path parent(Path path) {
        Path parent = path.toAbsolutePath().getParent();
        return parent == null ? path.getRoot() : parent;
    }
}
