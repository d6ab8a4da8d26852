package org.bloomgate.lists.export;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.bloomgate.lists.snapshot.ManifestFeed;
import org.bloomgate.lookup.tier.LocalRules;

/// The lists from which exports are written, at one time.
///
/// @param layers the current generations
/// @param local the entries of operators
/// @param rejects whether mail is rejected for a listing of a category
/// @param confirmed names of feeds whose listings count only if a DNS zone confirms them; they are not exported
/// @param attributions that licences require, by name of the feed
public record ExportSource(
        List<ExportLayer> layers,
        LocalRules local,
        Predicate<String> rejects,
        Set<String> confirmed,
        Map<String, String> attributions) {
    public ExportSource {
        layers = List.copyOf(layers);
        confirmed = Set.copyOf(confirmed);
        attributions = Map.copyOf(attributions);
    }

    /// A generation of a layer.
    ///
    /// @param exact directory of its exact store
    /// @param feeds that it was made from
    public record ExportLayer(Path exact, List<ManifestFeed> feeds) {
        public ExportLayer {
            feeds = List.copyOf(feeds);
        }
    }
}
