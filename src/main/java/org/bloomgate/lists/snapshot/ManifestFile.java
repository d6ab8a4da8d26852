package org.bloomgate.lists.snapshot;

import java.util.regex.Pattern;

/// One file of a snapshot.
///
/// @param path relative to the snapshot, parts joined by `/`
/// @param sha256 64 lower-case hex digits
public record ManifestFile(String path, long sizeBytes, String sha256) {
    private static final Pattern PART = Pattern.compile("(?!\\.{1,2}(/|$))[A-Za-z0-9._-]+");
    private static final Pattern PATH = Pattern.compile(PART.pattern() + "(/" + PART.pattern() + ")*");

    /// True when the path cannot lead out of the snapshot on any file system.
    boolean staysInside() {
        return path.length() <= 255 && PATH.matcher(path).matches();
    }
}
