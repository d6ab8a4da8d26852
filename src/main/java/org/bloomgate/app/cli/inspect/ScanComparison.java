package org.bloomgate.app.cli.inspect;

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
/// @param maxMessageBytes bound of a message, which is read into memory
record ScanComparison(MessageScan scan, MessageScan other, String generation, long maxMessageBytes) {

    /// @throws IOException if the stream fails, or is longer than the bound
    Compared scan(String name, InputStream message, Envelope envelope) throws IOException {
        byte[] bytes = readAll(message, maxMessageBytes);
        ScanResult result = scan.scan(name, () -> new ByteArrayInputStream(bytes), envelope);
        ScanResult otherResult = other.scan(name, () -> new ByteArrayInputStream(bytes), envelope);
        return new Compared(result, Against.of(generation, result, otherResult), otherResult);
    }

    /// Reads a whole message.
    ///
    /// @throws IOException if the stream fails, or is longer than the bound
    static byte[] readAll(InputStream message, long maxMessageBytes) throws IOException {
        byte[] bytes = message.readNBytes(Math.toIntExact(Math.min(Integer.MAX_VALUE - 8, maxMessageBytes + 1)));
        if (bytes.length > maxMessageBytes) {
            throw new IOException("longer than smtp.maxMessageBytes allows, %,d bytes".formatted(maxMessageBytes));
        }
        return bytes;
    }

    /// Both results; in JSON, the object of `scan --json` with the member `against`.
    record Compared(
            @JsonUnwrapped ScanResult result,
            Against against,
            @JsonIgnore ScanResult other) {
        /// The identifiers for which the other generation has another result.
        List<ScanResult.Identified> differingIdentifiers() {
            return other.identifiers().stream()
                    .filter(identifier -> !result.identifiers().contains(identifier))
                    .toList();
        }
    }

    /// The result for the message with the other generation.
    ///
    /// @param differs whether verdict, action or enforced action differ
    @JsonPropertyOrder({"generation", "verdict", "action", "enforced", "differs"})
    record Against(String generation, Verdict.Kind verdict, Action action, Action enforced, boolean differs) {
        private static Against of(String generation, ScanResult result, ScanResult otherResult) {
            boolean same = result.verdict() == otherResult.verdict()
                    && result.action() == otherResult.action()
                    && result.enforced() == otherResult.enforced();
            return new Against(generation, otherResult.verdict(), otherResult.action(), otherResult.enforced(), !same);
        }
    }
}
