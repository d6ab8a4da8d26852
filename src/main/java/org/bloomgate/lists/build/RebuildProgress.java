package org.bloomgate.lists.build;

/// Watches a rebuild: a progress bar, or one line a minute. Called from one thread, some thousand times a stage.
public interface RebuildProgress {

    /// A stage begins.
    ///
    /// @param what the feed that is read, or how many are fetched; empty in other stages
    void begin(RebuildStage stage, String what);

    /// How far the stage is.
    ///
    /// @param total -1 while it is unknown
    void advance(long done, long total);

    /// Watches nothing.
    static RebuildProgress silent() {
        return new RebuildProgress() {
            @Override
            public void begin(RebuildStage stage, String what) {}

            @Override
            public void advance(long done, long total) {}
        };
    }
}
