package org.bloomgate.app.cli;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.bloomgate.decision.evaluation.Envelope;
import org.bloomgate.decision.evaluation.MessageScan;
import org.bloomgate.decision.evaluation.ScanResult;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Verdict;

/// One message evaluated twice: with the current generation and with another one.
///
/// @param maxMessageBytes bound of a message, which is held in memory to be read twice
record ScanComparison(MessageScan scan, MessageScan other, String generation, long maxMessageBytes) {

    /// @throws IOException when the stream fails, or is longer than the bound
    Compared scan(String name, InputStream message, Envelope envelope) throws IOException {
        byte[] bytes = whole(message, maxMessageBytes);
        ScanResult here = scan.scan(name, () -> new ByteArrayInputStream(bytes), envelope);
        ScanResult there = other.scan(name, () -> new ByteArrayInputStream(bytes), envelope);
        return new Compared(here, Against.of(generation, here, there), there);
    }

    /// A message that is to be read twice.
    ///
    /// @throws IOException when the stream fails, or is longer than the bound
    static byte[] whole(InputStream message, long maxMessageBytes) throws IOException {
        byte[] bytes = message.readNBytes(Math.toIntExact(Math.min(Integer.MAX_VALUE - 8, maxMessageBytes + 1)));
        if (bytes.length > maxMessageBytes) {
            throw new IOException("longer than smtp.maxMessageBytes allows, %,d bytes".formatted(maxMessageBytes));
        }
        return bytes;
    }

    /// As JSON the object of `scan --json` with one member more.
    record Compared(
            @JsonUnwrapped ScanResult result,
            Against against,
            @JsonIgnore ScanResult other) {
        /// The identifiers for which the other generation has another result.
        List<ScanResult.Identified> otherwise() {
            return other.identifiers().stream()
                    .filter(found -> !result.identifiers().contains(found))
                    .toList();
        }
    }

    /// The result for the message with the other generation.
    ///
    /// @param differs whether any of the three is another
    @JsonPropertyOrder({"generation", "verdict", "action", "enforced", "differs"})
    record Against(String generation, Verdict.Word verdict, Action action, Action enforced, boolean differs) {
        private static Against of(String generation, ScanResult here, ScanResult there) {
            boolean same = here.verdict() == there.verdict()
                    && here.action() == there.action()
                    && here.enforced() == there.enforced();
            return new Against(generation, there.verdict(), there.action(), there.enforced(), !same);
        }
    }
}
