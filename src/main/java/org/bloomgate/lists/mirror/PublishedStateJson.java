package org.bloomgate.lists.mirror;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What `/v1/snapshots/current` answers: the generation in force of each layer.
public record PublishedStateJson(List<PublishedGeneration> layers) {
    /// Below it are this answer, as `current`, and the files of each generation.
    public static final String PATH = "/v1/snapshots/";

    /// @param confirmedAt when the publisher last found nothing new in its feeds; what it says of that,
    ///     signed where snapshots are, is beside the manifest
    /// @param manifest path of the manifest; the files it names are beside it
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record PublishedGeneration(
            String layer,
            String generation,
            Optional<Instant> createdAt,
            Optional<Instant> confirmedAt,
            Optional<String> manifest) {}
}
