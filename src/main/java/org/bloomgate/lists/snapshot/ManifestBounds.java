package org.bloomgate.lists.snapshot;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.store.PartRoot;

/// The bounds of the values in a manifest, signed or not: a publisher that errs, or whose key was stolen, must
/// not close sessions by an absurd time, write lines of its own into the log, or overflow a sum.
final class ManifestBounds {
    /// Keys of a filter, lines of a feed.
    static final long MAX_COUNT = 1L << 42;

    /// Bytes of a file. As many files as a manifest can name stay below 2^63 together.
    static final long MAX_FILE_BYTES = 1L << 46;

    static final int MAX_NAME = 1000;

    /// How far the clock of a publisher may be ahead of ours.
    static final Duration CLOCK_SKEW = Duration.ofMinutes(10);

    /// Ids made within one second run ahead by a second each.
    private static final Duration ID_AHEAD = Duration.ofDays(1);

    private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");
    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern SEED = Pattern.compile("[0-9a-f]{16}");

    private final SnapshotManifest manifest;
    private final Instant now;

    private ManifestBounds(SnapshotManifest manifest, Instant now) {
        this.manifest = manifest;
        this.now = now;
    }

    /// @throws SnapshotRefusedException if a value is out of its bounds, or a file is not one of a snapshot
    static void check(SnapshotManifest manifest, Instant now) throws SnapshotRefusedException {
        ManifestBounds bounds = new ManifestBounds(manifest, now);
        bounds.checkIdentity();
        for (ManifestFeed feed : manifest.feeds()) {
            bounds.checkFeed(feed);
        }
        for (ManifestFilter filter : manifest.filters()) {
            bounds.checkFilter(filter);
        }
        bounds.checkFiles();
    }

    private void checkIdentity() throws SnapshotRefusedException {
        if (!Generation.isId(manifest.generation())) {
            throw createException("\"" + toPrintable(manifest.generation()) + "\" is not a generation id");
        }
        if (!LayerDirectory.isName(manifest.layer())) {
            throw createException("\"" + toPrintable(manifest.layer()) + "\" is not a layer");
        }
        checkTime("createdAt", manifest.createdAt());
        if (Generation.parseTime(manifest.generation()).isAfter(now.plus(ID_AHEAD))) {
            throw createException("generation " + manifest.generation() + " is in the future");
        }
        checkDigest("publicSuffixListSha256", manifest.publicSuffixListSha256());
        checkCounts("proofCount", manifest.proofCount());
    }

    private void checkFeed(ManifestFeed feed) throws SnapshotRefusedException {
        checkName("name", feed.name());
        checkName("category", feed.category());
        checkName("cadence", feed.cadence());
        checkName("source", feed.source());
        checkName("from", feed.from());
        if (feed.seen().isPresent()) {
            checkTime("seen", feed.seen().get());
        }
        checkCounts(
                "feed " + feed.name(),
                feed.lines(),
                feed.entries(),
                feed.comments(),
                feed.rejects(),
                feed.held(),
                feed.keys());
        if (feed.exceptions().size() > ManifestFeed.MAX_EXCEPTIONS) {
            throw createException("feed " + feed.name() + ": more than " + ManifestFeed.MAX_EXCEPTIONS + " exceptions");
        }
        for (Key exception : feed.exceptions()) {
            checkException(exception);
        }
    }

    private static void checkException(Key key) throws SnapshotRefusedException {
        if (key.kind() == KeyKind.NETWORK && !AddressBlock.isBlock(key.text())) {
            throw createException("\"" + toPrintable(key.text()) + "\" is not a network");
        }
    }

    private void checkFilter(ManifestFilter filter) throws SnapshotRefusedException {
        checkCounts(
                filter.kind().label(),
                filter.lines(),
                filter.bitsPerKey(),
                filter.inserted(),
                filter.capacity(),
                filter.setBits());
        if (!(filter.targetRate() > 0 && filter.targetRate() < 1)) {
            throw createException(filter.kind().label() + ": targetRate " + filter.targetRate());
        }
        if (!SEED.matcher(filter.seed()).matches()) {
            throw createException(filter.kind().label() + ": seed is not 16 hex digits");
        }
    }

    private void checkFiles() throws SnapshotRefusedException {
        Set<String> paths = new HashSet<>();
        for (ManifestFile file : manifest.files()) {
            if (!file.staysInside()) {
                throw createException("\"" + toPrintable(file.path()) + "\" leads out of the snapshot");
            }
            if (file.path().equals(SnapshotManifest.FILE_NAME) || file.path().equals(ManifestSignature.FILE_NAME)) {
                throw createException(file.path() + " is not one of the files");
            }
            if (!paths.add(file.path())) {
                throw createException(file.path() + " appears twice");
            }
            checkDigest(file.path(), file.sha256());
            requireWithin(file.path(), size -> size >= 0 && size <= MAX_FILE_BYTES, file.sizeBytes());
        }
        requireListed(paths, SnapshotWriter.SUFFIX_LIST);
        for (ManifestFilter filter : manifest.filters()) {
            requireListed(paths, filter.file());
        }
        for (Map.Entry<String, PartRoot> part : manifest.parts().entrySet()) {
            requireListed(paths, part.getKey());
            PartRoot root = part.getValue();
            requireWithin(part.getKey(), offset -> offset >= 0 && offset <= MAX_FILE_BYTES, root.offset());
            requireWithin(part.getKey(), length -> length >= 0 && length <= PartRoot.MAX_BYTES, root.length());
            checkDigest(part.getKey(), root.sha256());
        }
    }

    private static void requireListed(Set<String> paths, String path) throws SnapshotRefusedException {
        if (!paths.contains(path)) {
            throw createException(toPrintable(path) + " is not among the files");
        }
    }

    private void checkTime(String field, Instant time) throws SnapshotRefusedException {
        if (time.isBefore(EARLIEST) || time.isAfter(now.plus(CLOCK_SKEW))) {
            throw createException(field + " is " + time + ", which is "
                    + (time.isBefore(EARLIEST) ? "before there were snapshots" : "in the future"));
        }
    }

    /// Names appear in logs, metrics, header fields and answers.
    private static void checkName(String field, String name) throws SnapshotRefusedException {
        boolean isPlain = name.length() <= MAX_NAME
                && name.codePoints().noneMatch(point -> switch (Character.getType(point)) {
                    case Character.CONTROL,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR,
                            Character.FORMAT,
                            Character.SURROGATE -> true;
                    default -> false;
                });
        if (!isPlain) {
            throw createException(field + " \"" + toPrintable(name)
                    + "\" of a feed holds control characters or is longer than " + MAX_NAME);
        }
    }

    private static void checkDigest(String what, String text) throws SnapshotRefusedException {
        if (!DIGEST.matcher(text).matches()) {
            throw createException(what + ": SHA-256 is not 64 hex digits");
        }
    }

    private static void checkCounts(String what, long... counts) throws SnapshotRefusedException {
        requireWithin(what, count -> count >= 0 && count <= MAX_COUNT, counts);
    }

    private static void requireWithin(String what, LongPredicate valid, long... values)
            throws SnapshotRefusedException {
        if (!LongStream.of(values).allMatch(valid)) {
            throw createException(what + ": a count or a size below 0 or beyond all bounds");
        }
    }

    /// Untrusted text made safe for a log line.
    private static String toPrintable(String text) {
        String plain = text.replaceAll("[^\\x20-\\x7e]", "?");
        return plain.length() > 80 ? plain.substring(0, 80) + ".." : plain;
    }

    private static SnapshotRefusedException createException(String what) {
        return new SnapshotRefusedException(SnapshotManifest.FILE_NAME + ": " + what);
    }
}
