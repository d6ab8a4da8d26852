package org.bloomgate.lists.rebuild;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Decides what an exceeded bound does: it closes a gate or, if the operator forces publication, is only
/// reported.
final class ForcedGates {
    private final boolean forced;
    private final List<String> opened = new ArrayList<>();

    /// @param forced whether publication is forced
    ForcedGates(boolean forced) {
        this.forced = forced;
    }

    /// The reason, if it closes a gate; empty if publication is forced.
    Optional<String> closedBy(String reason) {
        if (forced) {
            opened.add(reason);
            return Optional.empty();
        }
        return Optional.of(reason);
    }

    boolean isForced() {
        return forced;
    }

    /// The reasons that would have closed a gate without force.
    List<String> opened() {
        return List.copyOf(opened);
    }
}
