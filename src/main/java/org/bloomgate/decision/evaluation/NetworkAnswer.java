package org.bloomgate.decision.evaluation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bloomgate.core.cidr.AddressRanges;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.Layer;

/// The result of one layer for an address: whether its ranges cover it, and which feeds list a network around
/// it.
final class NetworkAnswer {
    private NetworkAnswer() {}

    static Explanation.Answer of(Key address, Layer layer, Duration timeout) {
        if (layer.networks().isEmpty()) {
            return answer(layer, "none", "", List.of());
        }
        byte[] bytes = address.bytes();
        int widest = layer.networks().get().widestBlock(bytes, 0, bytes.length);
        return widest == AddressRanges.NOT_COVERED
                ? answer(layer, "no", "", List.of())
                : exact(AddressBlock.parse(address.text()), widest, layer, timeout);
    }

    /// The narrowest network first.
    private static Explanation.Answer exact(AddressBlock address, int widest, Layer layer, Duration timeout) {
        List<Key> around = address.keysAround(widest).toList();
        List<Explanation.Statement> statements = new ArrayList<>();
        String word = "not listed";
        for (ExactAnswer exact : layer.exact().lookup(around, timeout)) {
            statements.addAll(Explanation.Statement.of(exact, layer));
            word = switch (exact) {
                case ExactAnswer.Unknown unknown -> Explanation.CANNOT_SAY + unknown.reason();
                case ExactAnswer.Listed _ -> word.startsWith(Explanation.CANNOT_SAY) ? word : "listed";
                case ExactAnswer.NotListed _ -> word;
            };
        }
        return answer(layer, "range", word, statements);
    }

    private static Explanation.Answer answer(
            Layer layer, String range, String exact, List<Explanation.Statement> statements) {
        return new Explanation.Answer(layer.name(), layer.generation(), range, exact, statements, List.of(), List.of());
    }
}
