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

    static Explanation.Answer query(Key address, Layer layer, Duration timeout) {
        if (layer.networks().isEmpty()) {
            return createAnswer(layer, "none", "", List.of());
        }
        byte[] bytes = address.bytes();
        int widest = layer.networks().get().widestBlock(bytes, 0, bytes.length);
        return widest == AddressRanges.NOT_COVERED
                ? createAnswer(layer, "no", "", List.of())
                : queryExactTier(AddressBlock.parse(address.text()), widest, layer, timeout);
    }

    /// Queries the exact tier for the networks around the address, the narrowest first.
    private static Explanation.Answer queryExactTier(AddressBlock address, int widest, Layer layer, Duration timeout) {
        List<Key> around = address.keysAround(widest).toList();
        List<Explanation.Statement> statements = new ArrayList<>();
        String result = "not listed";
        for (ExactAnswer exact : layer.exact().lookup(around, timeout)) {
            statements.addAll(Explanation.Statement.of(exact, layer));
            result = switch (exact) {
                case ExactAnswer.Unknown unknown -> Explanation.CANNOT_SAY + unknown.reason();
                case ExactAnswer.Listed _ -> result.startsWith(Explanation.CANNOT_SAY) ? result : "listed";
                case ExactAnswer.NotListed _ -> result;
            };
        }
        return createAnswer(layer, "range", result, statements);
    }

    private static Explanation.Answer createAnswer(
            Layer layer, String range, String exact, List<Explanation.Statement> statements) {
        return new Explanation.Answer(layer.name(), layer.generation(), range, exact, statements, List.of(), List.of());
    }
}
