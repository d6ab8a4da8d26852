package org.bloomgate.lists.layer;

/// How a rebuild of one layer ended.
public enum RebuildOutcome {
    /// A snapshot of all feeds is current.
    PUBLISHED("published", 0),
    /// A snapshot is current, but some feeds are in it with their last good copy, or not at all.
    PUBLISHED_WITH_FAILED_FEEDS("published-with-failed-feeds", 1),
    /// No feed changed: there is no new snapshot, and the age of the current one is renewed.
    UNCHANGED("unchanged", 0),
    /// As [#UNCHANGED], and some feeds failed as they did before.
    UNCHANGED_WITH_FAILED_FEEDS("unchanged-with-failed-feeds", 1),
    /// The layer is not due; no source was fetched.
    NOT_DUE("not-due", 0),
    /// Nothing was published; the previous snapshot stays current.
    GATE_CLOSED("gate-closed", 1),
    /// Everything was built and checked and nothing published, as requested.
    DRY_RUN("dry-run", 0),
    /// As [#DRY_RUN], and some feeds failed.
    DRY_RUN_WITH_FAILED_FEEDS("dry-run-with-failed-feeds", 1);

    private final String label;
    private final int exitStatus;

    RebuildOutcome(String label, int exitStatus) {
        this.label = label;
        this.exitStatus = exitStatus;
    }

    public String label() {
        return label;
    }

    public boolean isDryRun() {
        return this == DRY_RUN || this == DRY_RUN_WITH_FAILED_FEEDS;
    }

    /// 0, or 1 if a gate closed or a feed failed.
    public int exitStatus() {
        return exitStatus;
    }
}
