package org.bloomgate.lists.snapshot;

/// The part of a snapshot that a machine needs.
public enum SnapshotScope {
    /// All files but the deltas of the filters, which a mirror needs only while it fetches a snapshot.
    WHOLE,
    /// The same without the exact store, as the exact tier is elsewhere. If its files are there, they are
    /// neither required nor read.
    WITHOUT_EXACT;

    /// Whether the file is needed.
    public boolean covers(ManifestFile file) {
        return !SnapshotFiles.isDelta(file.path())
                && switch (this) {
                    case WHOLE -> true;
                    case WITHOUT_EXACT -> !SnapshotFiles.isExact(file.path());
                };
    }
}
