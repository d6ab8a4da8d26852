package org.bloomgate.disk;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What tells the octets of a file from others, made of its length and its [BlockChecksums]: it shows change and damage
/// as they happen, in a fraction of the time of a digest. It stops nobody who writes octets for the purpose: where that
/// would be of use to anybody, who asks compares the files.
public final class Fingerprint {
    /// Begins each but those that are a SHA-256.
    private static final String MARK = "crc-";

    private Fingerprint() {}

    /// Reads the whole file.
    public static String of(Path file) throws IOException {
        String checksums = Files.size(file) + " " + BlockChecksums.of(List.of(file));
        return MARK + Sha256.hex(checksums.getBytes(US_ASCII));
    }

    /// One that nobody can write other octets for.
    public static String unforgeable(Path file) throws IOException {
        return Sha256.hex(file);
    }

    /// Whether a file is as one was of which this was said.
    ///
    /// @param fingerprint of either kind
    public static boolean isOf(Path file, String fingerprint) throws IOException {
        return fingerprint.equals(fingerprint.startsWith(MARK) ? of(file) : unforgeable(file));
    }
}
