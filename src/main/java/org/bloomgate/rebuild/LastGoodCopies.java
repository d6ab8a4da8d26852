package org.bloomgate.rebuild;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;
import org.bloomgate.feed.Feed;

/// The feeds as they were fetched for the last published snapshot, one file each, still packed: what a rebuild falls
/// back on when a feed of today cannot be taken.
///
/// @param folder beside the layers, with a name that no layer can have
record LastGoodCopies(Path folder) {

    static LastGoodCopies below(Path snapshots) {
        return new LastGoodCopies(snapshots.resolve(".feeds"));
    }

    Optional<Path> of(Feed feed) {
        Path copy = folder.resolve(feed.name());
        return Files.isRegularFile(copy) ? Optional.of(copy) : Optional.empty();
    }

    /// When the feed was fetched that a copy holds; never after `now`.
    static Instant fetchedAt(Path copy, Instant now) throws IOException {
        Instant fetched = Files.getLastModifiedTime(copy).toInstant();
        return fetched.isAfter(now) ? now : fetched;
    }

    /// Replaces the copy of a feed by a file that was fetched, durably: a reader sees the old or the new octets.
    void keep(Feed feed, Path fetched, Instant at) throws IOException {
        Files.createDirectories(folder);
        Path beside = folder.resolve(".new-" + feed.name());
        Files.move(fetched, beside, StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(beside, FileTime.from(at));
        force(beside);
        Files.move(beside, folder.resolve(feed.name()), StandardCopyOption.ATOMIC_MOVE);
        force(folder);
    }

    private static void force(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
