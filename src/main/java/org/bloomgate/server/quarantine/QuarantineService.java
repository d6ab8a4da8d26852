package org.bloomgate.server.quarantine;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.lookup.tier.Action;

/// The quarantine for operators: the messages, and a way to release them. Thread-safe.
///
/// @param releases opens a release to the current next hop
public record QuarantineService(Quarantine quarantine, QuarantineIndex index, Releases releases) {

    /// Opens releases.
    @FunctionalInterface
    public interface Releases {
        /// @throws IOException if another release takes too long, or the next hop cannot be used
        QuarantineRelease open() throws IOException;
    }

    /// The message of a token; empty if there is none.
    public Optional<QuarantinedMessage> find(String token) throws IOException {
        return quarantine.find(token);
    }

    /// The tokens of those decisions whose message is in the quarantine. The folder is read only if one of them put its
    /// message there.
    public List<String> tokensOf(List<Decision> decisions) throws IOException {
        List<String> tokens = decisions.stream()
                .filter(decision -> decision.outcome().enforced().equals(Action.QUARANTINE.label()))
                .map(Decision::token)
                .toList();
        return tokens.isEmpty()
                ? tokens
                : tokens.stream().filter(quarantine.messages()::containsKey).toList();
    }
}
