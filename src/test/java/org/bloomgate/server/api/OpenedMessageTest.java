package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.decision.evaluation.Envelope;
import org.bloomgate.decision.evaluation.EvaluationRig;
import org.bloomgate.decision.evaluation.MessageScan;
import org.bloomgate.decision.policy.Policy;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.LookupCounts;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.bloomgate.server.dns.ListedHosts;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.quarantine.QuarantinedMessage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenedMessageTest {
    private final LayerSource layers = new ListedHosts()
            .lists("evil.example")
            .operatorExempts("evil.example", Optional.empty())
            .inForce();
    private final LookupCounts counts = new LookupCounts();

    @TempDir
    private Path folder;

    private QuarantinedMessage message() {
        return new QuarantinedMessage("0123456789AB", Instant.EPOCH, 1, Optional.empty(), folder.resolve("message"));
    }

    private MessageScan scan(LayerSource leased) {
        return new MessageScan(
                leased,
                EvaluationRig.evaluator(
                        new TwoTierLookup(Duration.ofSeconds(1), counts),
                        new Policy(PolicyOptions.defaults(), Map.of("default", Action.TAG)),
                        new MessageReader(MessageLimits.defaults()),
                        Duration.ofDays(36_500),
                        InstantSource.fixed(Instant.EPOCH)));
    }

    @BeforeEach
    void keep() throws IOException {
        Files.writeString(folder.resolve("message"), "Subject: x\r\n\r\nhttp://evil.example/\r\n");
    }

    @Test
    void openedMessage_leavesNoTrace() throws IOException {
        EvaluationRig rig = new EvaluationRig(layers);
        OpenedMessage.of(message(), scan(rig), Optional.empty());
        assertEquals(0, counts.keys());
        assertEquals(List.of(), rig.met);
        scan(rig).scan("x", message()::open, Envelope.NONE);
        assertTrue(counts.keys() > 0);
        assertFalse(rig.met.isEmpty());
    }

    /// Opens the message again, as often as this, while it is opened.
    private OpenedMessage openWithin(int others) throws IOException {
        return OpenedMessage.of(
                message(), scan(() -> others == 0 ? layers.lease() : leaseAfter(others)), Optional.empty());
    }

    private LayerLease leaseAfter(int others) {
        try {
            assertEquals(List.of(), openWithin(others - 1).identifiers());
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
        return layers.lease();
    }

    @Test
    void messagesBeyondTheBound_areRefused() throws IOException {
        for (int round = 0; round < 2; round++) {
            assertEquals(
                    "hxxp://evil[.]example/",
                    openWithin(OpenedMessage.MAX_AT_ONCE - 1).text().text().strip());
            ProblemException busy = assertThrows(ProblemException.class, () -> openWithin(OpenedMessage.MAX_AT_ONCE));
            assertEquals("status 503", busy.getMessage());
        }
    }
}
