package org.bloomgate.decision.evaluation;

import java.util.List;

/// The recipients of one message, by what is done for them.
public sealed interface RecipientSplit {
    RecipientSplit NONE = new Together();

    /// One action for all recipients.
    record Together() implements RecipientSplit {}

    /// Different actions. Numbers are those of [MessageEvaluation#rcptTo] calls, from 0; a recipient in neither list
    /// has the
    /// message dropped.
    ///
    /// @param delivered recipients who get the message, with a tag where `tagged` says so
    /// @param kept recipients for whom it is kept in quarantine: their action is quarantine, defer or reject
    /// @param tagged whether the delivered message is tagged
    record Apart(List<Integer> delivered, List<Integer> kept, boolean tagged) implements RecipientSplit {
        public Apart {
            delivered = List.copyOf(delivered);
            kept = List.copyOf(kept);
        }
    }
}
