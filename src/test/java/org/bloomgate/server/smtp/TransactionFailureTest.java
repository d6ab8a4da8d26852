package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.base.net.ClientShares;
import org.bloomgate.core.smtp.EhloExtensions;
import org.bloomgate.core.smtp.MailArguments;
import org.bloomgate.core.smtp.Parsed;
import org.bloomgate.decision.authentication.ResultsSource;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.server.nexthop.NextHop;
import org.bloomgate.server.nexthop.NextHopTransaction;
import org.bloomgate.server.spool.MemoryBudget;
import org.bloomgate.server.spool.MessageContext;
import org.junit.jupiter.api.Test;

/// A next hop with a defect of its own, which its contract rules out: it must not keep a snapshot in use for ever.
class TransactionFailureTest {
    private final RuntimeException defect = new IllegalStateException("defect");
    private final NextHop nextHop = mock();
    private final DecisionJournal journal = mock();
    private final ListedDomains layers = ListedDomains.inForce();

    @Test
    void nextHopThatCannotBegin_holdsNoSnapshot() throws IOException {
        when(nextHop.begin(any())).thenThrow(defect);
        assertSame(defect, assertThrows(IllegalStateException.class, this::begin));
        assertEquals(0, layers.openLeases());
    }

    @Test
    void nextHopThatCannotClose_keepsTheDecision() throws IOException {
        NextHopTransaction there = mock();
        when(nextHop.begin(any())).thenReturn(there);
        doThrow(defect).when(there).close();
        MailTransaction transaction = begin();
        assertSame(defect, assertThrows(IllegalStateException.class, transaction::close));
        assertEquals(0, layers.openLeases());
        verify(journal).record(any());
    }

    private MailTransaction begin() throws IOException {
        EhloExtensions offer = new EhloExtensions(Set.of(), 1000, true);
        MailArguments mail = switch (MailArguments.parse("FROM:<a@b.example>", offer)) {
            case Parsed.Valid<MailArguments>(MailArguments valid) -> valid;
            case Parsed.Refused<MailArguments> refused -> throw new AssertionError(refused);
        };
        Client client = new Client(
                new Peer(Optional.empty(), 0, ""),
                "client.example",
                true,
                "",
                Optional.empty(),
                ResultsSource.STRANGER);
        return new MailTransaction(context(), client, mail, offer);
    }

    private SessionContext context() throws IOException {
        RelayOptions options = RelayOptions.defaults(Path.of("var"));
        return new SessionContext(
                options,
                mock(),
                List.of(),
                Optional.empty(),
                nextHop,
                new MessageContext(
                        layers,
                        RelayWorld.evaluator(options),
                        RelayWorld.records(journal, new SimpleMeterRegistry(), Path.of("var")),
                        new MemoryBudget(0),
                        options.messages()),
                new ClientRates(RelayOptions.Rates.defaults()),
                new ClientShares(),
                new RelayMetrics(new SimpleMeterRegistry()));
    }
}
