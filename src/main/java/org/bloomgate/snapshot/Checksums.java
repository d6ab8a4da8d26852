package org.bloomgate.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.disk.BlockChecksums;

/// `checksums` of a snapshot: [BlockChecksums] of its files, by which damage is found without a digest of everything.
///
/// A first line that says which they are; then of each file a line `file PATH`, and a line of 16 hex digits for each
/// block. It is a file of the manifest like others, whose SHA-256 of it is compared before a line is believed: readers
/// that do not know it verify and ignore it, and snapshots without it are verified by SHA-256 alone. Immutable.
final class Checksums {
    static final String FILE_NAME = "checksums";

    /// Of files of 4 TB.
    static final int MAX_BYTES = 16 << 20;

    private static final String HEAD = "crc-32c crc-32 of " + BlockChecksums.BLOCK_BYTES;
    private static final String FILE = "file ";
    private static final Pattern BLOCK = Pattern.compile("[0-9a-f]{16}");

    private final Map<String, List<Long>> files;

    private Checksums(Map<String, List<Long>> files) {
        this.files = files;
    }

    static Checksums none() {
        return new Checksums(Map.of());
    }

    /// @param blocks of each file, by its path
    static byte[] write(Map<String, List<Long>> blocks) {
        StringBuilder text = new StringBuilder(HEAD).append('\n');
        blocks.forEach((path, ofFile) -> {
            text.append(FILE).append(path).append('\n');
            ofFile.forEach(
                    block -> text.append(HexFormat.of().toHexDigits(block)).append('\n'));
        });
        return text.toString().getBytes(US_ASCII);
    }

    /// None where the first line says something else: whoever wrote it knew better ones.
    ///
    /// @param octets that the manifest vouches for
    /// @throws SnapshotRefusedException when another line is none
    static Checksums read(byte[] octets) throws SnapshotRefusedException {
        List<String> lines = new String(octets, US_ASCII).lines().toList();
        if (lines.isEmpty() || !lines.getFirst().equals(HEAD)) {
            return none();
        }
        Map<String, List<Long>> files = new HashMap<>();
        List<Long> blocks = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            if (line.startsWith(FILE)) {
                blocks = new ArrayList<>();
                files.put(line.substring(FILE.length()), blocks);
            } else if (BLOCK.matcher(line).matches()) {
                blocks.add(HexFormat.fromHexDigitsToLong(line));
            } else {
                throw new SnapshotRefusedException(FILE_NAME + ": a line is neither a file nor a block");
            }
        }
        return new Checksums(files);
    }

    /// Of all blocks of a file; empty when nothing is said of it.
    ///
    /// @throws SnapshotRefusedException when they are not as many as the file has
    Optional<List<Long>> of(ManifestFile file) throws SnapshotRefusedException {
        List<Long> blocks = files.get(file.path());
        if (blocks != null && blocks.size() != BlockChecksums.count(file.sizeBytes())) {
            throw new SnapshotRefusedException(FILE_NAME + ": " + blocks.size() + " blocks of " + file.path()
                    + ", which has " + BlockChecksums.count(file.sizeBytes()));
        }
        return Optional.ofNullable(blocks);
    }
}
