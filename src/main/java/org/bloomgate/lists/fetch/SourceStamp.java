package org.bloomgate.lists.fetch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.bloomgate.base.io.Sha256;

/// Shows whether a source on this machine has changed, if possible without reading it: by length, times and
/// identity of its file. An older file that replaces it has another identity or time of change.
public final class SourceStamp {
    /// A file that was just written may be written again within the same tick of its times.
    private static final Duration TICK = Duration.ofSeconds(2);

    private SourceStamp() {}

    /// Whether the source is on a web server, from which it is fetched less often.
    public static boolean isRemote(Feed feed) {
        return FeedFetcher.isWeb(feed.source());
    }

    /// A stamp of the source: equal stamps mean equal bytes. Empty if the source has to be read: stdin, a
    /// special file, and a file that was just changed or does not exist.
    public static Optional<String> of(Feed feed, Instant now) {
        try {
            Path file = Path.of(feed.source());
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            FileTime changed = changed(file).orElse(attributes.lastModifiedTime());
            boolean settled = later(changed, attributes.lastModifiedTime()).isBefore(now.minus(TICK));
            return attributes.isRegularFile() && settled
                    ? Optional.of(attributes.size() + " " + attributes.lastModifiedTime() + " " + changed + " "
                            + attributes.fileKey())
                    : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Instant later(FileTime first, FileTime second) {
        return (first.compareTo(second) > 0 ? first : second).toInstant();
    }

    /// The time of change that no program can set, where the file system has one.
    private static Optional<FileTime> changed(Path file) throws IOException {
        try {
            return Files.getAttribute(file, "unix:ctime") instanceof FileTime time
                    ? Optional.of(time)
                    : Optional.empty();
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// Whether the source is a regular file with this fingerprint. The content of other sources is unknown
    /// until they are fetched.
    ///
    /// @throws IOException if the file cannot be read
    public static boolean isOf(Feed feed, String fingerprint) throws IOException {
        try {
            Path file = Path.of(feed.source());
            return Files.isRegularFile(file)
                    && Files.size(file) <= feed.transfer().maxBytes()
                    && Sha256.hex(file).equals(fingerprint);
        } catch (NoSuchFileException | IllegalArgumentException e) {
            return false;
        }
    }
}
