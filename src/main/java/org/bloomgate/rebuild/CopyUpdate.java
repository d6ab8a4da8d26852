package org.bloomgate.rebuild;

import java.nio.file.Path;
import org.bloomgate.feed.Validators;

/// What becomes of a feed's last good copy when the snapshot is published.
sealed interface CopyUpdate {

    /// Today's file takes its place.
    record Replace(Path fetched, Validators validators) implements CopyUpdate {}

    /// The source holds it still.
    record Confirm(LastGoodCopies.Copy copy) implements CopyUpdate {}

    /// Nothing was heard of the source.
    record Leave() implements CopyUpdate {}
}
