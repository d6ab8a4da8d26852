package org.bloomgate.lists.snapshot;

/// The part of a snapshot that a machine needs.
public enum SnapshotScope {
    /// All files but the deltas of the filters, which a mirror needs only while it fetches a snapshot.
    WHOLE,
    /// All that but the exact store: the exact tier is elsewhere. Files of it that are there are neither demanded nor
    /// looked at.
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
