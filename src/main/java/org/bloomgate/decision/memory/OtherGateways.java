package org.bloomgate.decision.memory;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The other gateways that may have seen a name.
@FunctionalInterface
public interface OtherGateways {
    /// There are no others.
    OtherGateways NONE = _ -> new Answers(List.of(), List.of());

    /// Asks the gateways whose digests may contain a canonical name. Waits for a bounded time.
    Answers ask(String name);

    /// @param gateways that know the name
    /// @param unanswered names of gateways that did not answer
    record Answers(List<Answer> gateways, List<String> unanswered) {}

    /// The answer of one gateway: messages with a link to the name within 24 hours, and their recipients.
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record Answer(String gateway, Optional<Instant> firstSeen, int messages, int recipients) {}
}
