package org.bloomgate.decision.evaluation;

import java.util.List;

/// The recipients of one message by their actions.
public sealed interface RecipientSplit {
    RecipientSplit NONE = new Together();

    /// One action for all recipients.
    record Together() implements RecipientSplit {}

    /// Different actions. Numbers are those of [MessageEvaluation#rcptTo] calls, from 0; for a recipient in
    /// neither list the message is dropped.
    ///
    /// @param delivered recipients who get the message
    /// @param kept recipients whose message goes to the quarantine: their action is quarantine, defer or reject
    /// @param tagged whether the delivered message is tagged
    record Apart(List<Integer> delivered, List<Integer> kept, boolean tagged) implements RecipientSplit {
        public Apart {
            delivered = List.copyOf(delivered);
            kept = List.copyOf(kept);
        }

        /// The delivered ones of the recipients.
        ///
        /// @param recipients all of them, in the order of [MessageEvaluation#rcptTo]
        public <R> List<R> deliveredOf(List<R> recipients) {
            return delivered.stream().map(recipients::get).toList();
        }

        /// The kept ones of the recipients.
        ///
        /// @param recipients as for [#deliveredOf]
        public <R> List<R> keptOf(List<R> recipients) {
            return kept.stream().map(recipients::get).toList();
        }
    }
}
