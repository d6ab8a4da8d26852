package org.bloomgate.base.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Digests of files, cached for a while, so that a snapshot that a mirror verified after its download is not
/// read again when the same process adopts it.
///
/// A file is taken to be unchanged while its device, inode, size, modification time and change time (`ctime`)
/// are the same. Every write sets the change time, and no system call sets it to a chosen value. A file that
/// was changed less than [#SETTLED] before it was read is not cached, because the clocks of file systems are
/// coarse. Thread-safe.
public final class VerifiedFiles {
    /// How long a verified file is trusted to be unchanged on disk.
    static final Duration GOOD_FOR = Duration.ofMinutes(10);

    /// The coarsest clock of a file system.
    static final Duration SETTLED = Duration.ofSeconds(2);

    private static final int MAX_FILES = 4096;

    private final InstantSource clock;
    private final Reading reading;
    private final Map<Stamp, CachedDigest> cachedDigests = new LinkedHashMap<>();

    /// Attributes that differ between two files and after each change of a file.
    public record Stamp(Map<String, Object> attributes) {}

    private record CachedDigest(String sha256, Instant at) {}

    /// Reads files and returns their digests.
    @FunctionalInterface
    interface Reading {
        List<String> hex(List<Path> files) throws IOException;
    }

    public VerifiedFiles(InstantSource clock) {
        this(clock, Sha256::hex);
    }

    VerifiedFiles(InstantSource clock, Reading reading) {
        this.clock = clock;
        this.reading = reading;
    }

    /// Remembers nothing.
    public static VerifiedFiles none() {
        return new VerifiedFiles(() -> Instant.MIN);
    }

    /// SHA-256 of the files in lower-case hex, in their order.
    public List<String> hex(List<Path> files) throws IOException {
        Instant now = clock.instant();
        Map<Path, String> digests = new HashMap<>();
        List<Path> unread = new ArrayList<>();
        List<Stamp> stamps = new ArrayList<>();
        for (Path file : files) {
            Stamp stamp = readStamp(file);
            Optional<String> sha256 = findCached(stamp, now);
            if (sha256.isPresent()) {
                digests.put(file, sha256.get());
            } else {
                unread.add(file);
                stamps.add(stamp);
            }
        }
        List<String> readDigests = reading.hex(unread);
        for (int i = 0; i < unread.size(); i++) {
            digests.put(unread.get(i), readDigests.get(i));
            cache(unread.get(i), stamps.get(i), readDigests.get(i), now);
        }
        List<String> orderedDigests = new ArrayList<>();
        files.forEach(file -> orderedDigests.add(digests.getOrDefault(file, "")));
        return orderedDigests;
    }

    /// Whether the file was read, and this was its SHA-256.
    public boolean hasCached(Path file, String sha256) throws IOException {
        return findCached(readStamp(file), clock.instant()).equals(Optional.of(sha256));
    }

    /// The stamp of the file as it is now; equal for all files where the file system gives no information.
    public static Stamp readStamp(Path file) throws IOException {
        try {
            return new Stamp(
                    Files.readAttributes(file, "unix:dev,ino,size,lastModifiedTime,ctime", LinkOption.NOFOLLOW_LINKS));
        } catch (UnsupportedOperationException | IllegalArgumentException noSuchView) {
            return new Stamp(Map.of());
        }
    }

    private synchronized Optional<String> findCached(Stamp stamp, Instant now) {
        cachedDigests.values().removeIf(file -> Duration.between(file.at(), now).compareTo(GOOD_FOR) > 0);
        return Optional.ofNullable(cachedDigests.get(stamp)).map(CachedDigest::sha256);
    }

    private synchronized void cache(Path file, Stamp stampBefore, String sha256, Instant readAt) throws IOException {
        boolean isSettled = stampBefore.attributes().get("ctime") instanceof FileTime changeTime
                && changeTime.toInstant().plus(SETTLED).isBefore(readAt);
        if (isSettled && readStamp(file).equals(stampBefore) && cachedDigests.size() < MAX_FILES) {
            cachedDigests.put(stampBefore, new CachedDigest(sha256, readAt));
        }
    }
}
