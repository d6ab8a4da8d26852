package org.bloomgate.decision.evaluation;

import java.util.List;

/// Which recipients of one message get it and which do not, a part of [MessageDecision]. [RecipientResults] makes the
/// split from the policy results.
public sealed interface RecipientSplit {
    RecipientSplit NONE = new Together();

    /// One action for all recipients.
    record Together() implements RecipientSplit {}

    /// Different actions. A recipient is named by its position among the calls of [MessageEvaluation#rcptTo], from 0;
    /// for a recipient in neither list the message is dropped.
    ///
    /// @param delivered recipients who get the message
    /// @param kept recipients whose message goes to the quarantine: their action is quarantine, defer or reject
    /// @param tagged whether the delivered message is tagged
    record Apart(List<Integer> delivered, List<Integer> kept, boolean tagged) implements RecipientSplit {
        public Apart {
            delivered = List.copyOf(delivered);
            kept = List.copyOf(kept);
        }

        /// Returns the recipients who get the message.
        ///
        /// @param recipients all of them, in the order of [MessageEvaluation#rcptTo]
        public <R> List<R> deliveredOf(List<R> recipients) {
            return delivered.stream().map(recipients::get).toList();
        }

        /// Returns the recipients whose message goes to the quarantine.
        ///
        /// @param recipients as for [#deliveredOf]
        public <R> List<R> keptOf(List<R> recipients) {
            return kept.stream().map(recipients::get).toList();
        }
    }
}
