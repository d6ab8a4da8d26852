package org.bloomgate.lists.rebuild;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The effect of an exceeded bound: it closes a gate, or is only reported if the operator forces publication.
final class PublishChecks {
    private final boolean forced;
    private final List<String> opened = new ArrayList<>();

    /// @param forced whether all bounds are to be passed
    PublishChecks(boolean forced) {
        this.forced = forced;
    }

    /// The reason when it closes a gate; empty when the gate was forced open.
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

    /// The gates that were passed by force.
    List<String> opened() {
        return List.copyOf(opened);
    }
}
