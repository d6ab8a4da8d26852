package org.bloomgate.lists.layer;

import org.bloomgate.base.config.Labelled;

/// How a rebuild of one layer ended.
public enum RebuildOutcome implements Labelled {
    /// A snapshot of all feeds is current.
    PUBLISHED(0),
    /// A snapshot is current, but some feeds are in it with their last good copy, or not at all.
    PUBLISHED_WITH_FAILED_FEEDS(1),
    /// No feed changed: there is no new snapshot, and the age of the current one is renewed.
    UNCHANGED(0),
    /// As [#UNCHANGED], and some feeds failed as they did before.
    UNCHANGED_WITH_FAILED_FEEDS(1),
    /// The layer is not due; no source was fetched.
    NOT_DUE(0),
    /// Nothing was published; the previous snapshot stays current.
    GATE_CLOSED(1),
    /// Everything was built and checked and nothing published, as requested.
    DRY_RUN(0),
    /// As [#DRY_RUN], and some feeds failed.
    DRY_RUN_WITH_FAILED_FEEDS(1);

    private final int exitStatus;

    RebuildOutcome(int exitStatus) {
        this.exitStatus = exitStatus;
    }

    public boolean isDryRun() {
        return this == DRY_RUN || this == DRY_RUN_WITH_FAILED_FEEDS;
    }

    /// 0, or 1 if a gate closed or a feed failed.
    public int exitStatus() {
        return exitStatus;
    }
}
