package org.bloomgate.lists.layer;

/// Displays the progress of a rebuild, as a bar or one line a minute. Called from one thread, some thousand
/// times a stage.
public interface RebuildProgress {

    /// A stage begins.
    ///
    /// @param what the feed that is read, or the number of feeds that are fetched; empty in other stages
    void begin(RebuildStage stage, String what);

    /// The stage has come so far.
    ///
    /// @param total -1 while it is unknown
    void advance(long done, long total);

    /// Displays nothing.
    static RebuildProgress silent() {
        return new RebuildProgress() {
            @Override
            public void begin(RebuildStage stage, String what) {}

            @Override
            public void advance(long done, long total) {}
        };
    }
}
