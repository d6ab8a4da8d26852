package org.bloomgate.decision.evaluation;

import java.util.List;
import java.util.stream.Collectors;
import org.bloomgate.lookup.tier.Layer;

/// The text by which an answer names the snapshots that it was made with.
public final class Generations {
    private Generations() {}

    /// The generations joined by commas, in order of the layers; empty if there is none.
    public static String join(List<Layer> layers) {
        return layers.stream().map(Layer::generation).collect(Collectors.joining(","));
    }
}
