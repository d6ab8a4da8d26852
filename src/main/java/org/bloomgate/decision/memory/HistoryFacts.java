package org.bloomgate.decision.memory;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What the memory says of one message; as JSON, the object `history`. Absent facts are not in the JSON.
///
/// @param link the newest link domain that is not known; empty if all are
/// @param links how many are not known
/// @param sender empty for a known sender
public record HistoryFacts(
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<NewLink> link,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) int links,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<NewSender> sender) {
    public static final HistoryFacts NONE = new HistoryFacts(Optional.empty(), 0, Optional.empty());

    /// These facts; empty if there is nothing new.
    public Optional<HistoryFacts> toOptional() {
        return equals(NONE) ? Optional.empty() : Optional.of(this);
    }

    /// The facts as lines for a terminal.
    ///
    /// @param now when the message was seen
    public List<String> describe(Instant now) {
        return Stream.concat(
                        link.stream()
                                .map(newest ->
                                        "new link: " + newest.text(now) + (links > 1 ? ", one of " + links : "")),
                        sender.stream().map(NewSender::text))
                .toList();
    }
}
