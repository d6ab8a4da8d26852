package org.bloomgate.lists.mirror;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The answer of `/v1/snapshots/current`: the current generation of each layer.
public record PublishedStateJson(List<PublishedGeneration> layers) {
    /// Below it are this answer, as `current`, and the files of each generation.
    public static final String PATH = "/v1/snapshots/";

    /// @param confirmedAt when the publisher last found nothing new in its feeds; a signed confirmation is next
    ///     to the manifest
    /// @param manifest path of the manifest; its files are next to it
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record PublishedGeneration(
            String layer,
            String generation,
            Optional<Instant> createdAt,
            Optional<Instant> confirmedAt,
            Optional<String> manifest) {}
}
