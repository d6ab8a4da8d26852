package org.bloomgate.http;

import java.util.List;
import java.util.stream.Collectors;
import org.bloomgate.lookup.Layer;

/// How an answer names the snapshots it rests on.
final class Generations {
    private Generations() {}

    /// The generations joined by a comma, in order of the layers; empty when there is none.
    static String of(List<Layer> layers) {
        return layers.stream().map(Layer::generation).collect(Collectors.joining(","));
    }
}
