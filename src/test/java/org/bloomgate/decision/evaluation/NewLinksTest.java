package org.bloomgate.decision.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.benmanes.caffeine.cache.Ticker;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Use;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.core.lookalike.LookAlikes;
import org.bloomgate.decision.authentication.AuthenticationDns;
import org.bloomgate.decision.authentication.AuthenticationOptions;
import org.bloomgate.decision.authentication.Authenticator;
import org.bloomgate.decision.authentication.ResultsSource;
import org.bloomgate.decision.memory.HistoryFacts;
import org.bloomgate.decision.memory.LinkMemory;
import org.bloomgate.decision.memory.SiteMemory;
import org.bloomgate.decision.policy.MailboxPattern;
import org.bloomgate.decision.policy.NewRecipientLimits;
import org.bloomgate.decision.policy.Policy;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.decision.policy.PolicyOverrides;
import org.bloomgate.decision.policy.Signal;
import org.bloomgate.lookup.dns.DnsClient;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.LookupCounts;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.bloomgate.server.api.SmallLayer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// New links in messages: the facts, and what the signals do.
class NewLinksTest {
    private static final String JANE = "jane@corp.example";
    private static final String ANN = "ann@partner.example";
    private static final String LINK = "<a href=\"https://www.login-secure.example/a\">here</a>";

    @TempDir
    private Path folder;

    private Instant now = Instant.parse("2026-01-08T12:00:00Z");
    private SiteMemory memory = SiteMemory.NONE;
    private final LayerSource layers = new SmallLayer()
            .lists(KeyKind.DOMAIN, "evil.example", Use.HEADER, 0)
            .inForce();
    private HistoryFacts facts = HistoryFacts.NONE;
    private Set<Signal> signals = Set.of();
    private NewRecipientLimits limits = limits(Action.DEFER);

    @BeforeEach
    void learn() throws IOException {
        memory = new SiteMemory(folder, new SiteMemory.Options(true, true), () -> now);
        now = now.plus(Duration.ofDays(14));
    }

    @AfterEach
    void close() {
        memory.close();
    }

    private LinkMemory links() {
        return memory.links().orElseThrow();
    }

    private MessageEvaluator evaluator(Map<Signal, Action> signals, Map<MailboxPattern, PolicyOverrides> recipients) {
        PolicyOptions shipped = PolicyOptions.defaults();
        PolicyOptions options = new PolicyOptions(
                shipped.listed(),
                shipped.categories(),
                recipients,
                Map.of(),
                shipped.onNoSnapshot(),
                shipped.onPartial(),
                "",
                shipped.replyText(),
                false,
                shipped.helo(),
                limits,
                signals);
        return EvaluationRig.evaluator(
                        new TwoTierLookup(Duration.ofSeconds(1), new LookupCounts()),
                        new Policy(options, Map.of("default", Action.TAG)),
                        new MessageReader(MessageLimits.defaults()),
                        Duration.ofDays(36_500),
                        InstantSource.fixed(Instant.EPOCH))
                .withParts(new MessageEvaluator.SenderChecks(
                        LookAlikes.NONE,
                        BrandCheck.NONE,
                        new MessageEvaluator.History(memory, Set.of("popular.example"), Set.of("corp.example")),
                        new Authenticator(
                                new AuthenticationOptions(
                                        List.of("mx.corp.example"),
                                        AuthenticationOptions.OnUnknown.DEFER,
                                        Duration.ofSeconds(5)),
                                Set.of("corp.example"),
                                new AuthenticationDns(new DnsClient(
                                        _ -> CompletableFuture.failedFuture(new IOException("no DNS")),
                                        Ticker.systemTicker())),
                                InstantSource.system()),
                        ReportAddresses.NONE));
    }

    private MessageDecision deliver(
            MessageEvaluator evaluator, ResultsSource results, String fields, String body, String... recipients)
            throws IOException {
        ConnectingClient client = new ConnectingClient(Optional.empty(), "", "", false, results);
        byte[] message = (fields + "From: <" + ANN
                        + ">\r\nMessage-ID: <1@partner.example>\r\nContent-Type: text/html\r\n\r\n" + body)
                .getBytes(StandardCharsets.UTF_8);
        try (MessageEvaluation evaluation = evaluator.open(layers.lease(), client)) {
            evaluation.mailFrom(ANN);
            List.of(recipients).forEach(evaluation::rcptTo);
            evaluation.message(() -> new ByteArrayInputStream(message), 0);
            evaluation.lookUp();
            MessageDecision decision = evaluation.decide(() -> new ByteArrayInputStream(message));
            facts = evaluation.facts();
            signals = evaluation.signals();
            if (decision.enforced().isDelivered()) {
                evaluation.delivered();
            } else if (decision.enforced() == Action.DEFER) {
                evaluation.deferred(decision);
            }
            return decision;
        }
    }

    private Action act(Map<Signal, Action> signals, String body) throws IOException {
        return deliver(evaluator(signals, Map.of()), ResultsSource.STRANGER, "", body, JANE)
                .action();
    }

    @Test
    void firstMessage_hasNewLinkAndPasses() throws IOException {
        assertEquals(Action.PASS, act(Map.of(), LINK + LINK + "<a href=\"https://192.0.2.7/\">b</a>"));
        assertEquals(2, facts.links());
        assertEquals("domain", facts.sender().orElseThrow().firstContact());
        assertEquals(Set.of(Signal.NEW_LINK, Signal.NEW_LINK_OF_STRANGER), signals);
        assertTrue(links().findSeen("login-secure.example").isPresent());
        assertTrue(links().findSeen("192.0.2.7").isPresent());
        now = now.plus(Duration.ofHours(3));
        assertEquals(Action.PASS, act(Map.of(), LINK));
        assertEquals("login-secure.example; age=3h", facts.link().orElseThrow().text(now));
        assertEquals(1, facts.link().orElseThrow().messages());
        assertEquals(Optional.empty(), facts.sender());
        assertEquals(Set.of(Signal.NEW_LINK), signals, "not authenticated, as nothing depended on it");
    }

    @Test
    void popularNameAndImageHost_areNotNew() throws IOException {
        assertEquals(
                Action.PASS,
                act(Map.of(Signal.NEW_LINK, Action.TAG), "<a href=\"https://www.popular.example/\">a</a>"));
        assertEquals(0, facts.links());
    }

    @Test
    void sixtyFiveLinks_firstSixtyFourCount() throws IOException {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i <= MessageHistory.MAX_LINKS; i++) {
            body.append("<a href=\"https://d").append(i).append(".example/\">a</a>");
        }
        assertEquals(Action.PASS, act(Map.of(), body.toString()));
        assertEquals(MessageHistory.MAX_LINKS, facts.links());
        assertTrue(links().findSeen("d63.example").isPresent());
        assertFalse(links().findSeen("d64.example").isPresent());
    }

    @ParameterizedTest
    @EnumSource(
            value = Action.class,
            names = {"PASS", "TAG", "QUARANTINE", "DEFER"})
    void signal_hasItsAction(Action action) throws IOException {
        assertEquals(action, act(Map.of(Signal.NEW_LINK, action), LINK));
        assertEquals(
                action.isDelivered(),
                links().findSeen("login-secure.example")
                        .filter(link -> link.messages() > 0)
                        .isPresent(),
                "remembered only if it was delivered");
    }

    @Test
    void recipientRule_mayDiffer() throws IOException {
        PolicyOverrides own = new PolicyOverrides(
                Map.of(),
                Map.of(),
                Optional.empty(),
                Map.of(),
                Map.of(),
                NewRecipientLimits.NOTHING,
                Map.of(Signal.NEW_LINK, Action.QUARANTINE),
                Optional.empty(),
                Optional.empty());
        MessageEvaluator evaluator = evaluator(Map.of(), Map.of(MailboxPattern.of(JANE), own));
        assertEquals(
                Action.PASS,
                deliver(evaluator, ResultsSource.STRANGER, "", LINK, "john@corp.example")
                        .action());
        assertEquals(
                Action.QUARANTINE,
                deliver(evaluator, ResultsSource.STRANGER, "", "<a href=\"https://other.example/\">a</a>", JANE)
                        .action());
    }

    @Test
    void postmaster_isNeverDeferredNorRemembered() throws IOException {
        MessageDecision decision = deliver(
                evaluator(Map.of(Signal.NEW_LINK, Action.DEFER), Map.of()),
                ResultsSource.STRANGER,
                "",
                LINK,
                "postmaster@corp.example");
        assertTrue(decision.action().isDelivered());
        assertEquals(Optional.empty(), links().findSeen("login-secure.example"));
    }

    @Test
    void deferral_endsAfterFifteenMinutesForOthersAndAtTheRetry() throws IOException {
        Map<Signal, Action> defer = Map.of(Signal.NEW_LINK_OF_STRANGER, Action.DEFER);
        MessageEvaluator evaluator = evaluator(defer, Map.of());
        assertEquals(Action.DEFER, act(defer, LINK));
        assertEquals(Action.DEFER, act(defer, LINK), "within the same minute");
        now = now.plus(Duration.ofMinutes(1));
        assertEquals(
                Action.DEFER,
                deliver(evaluator, ResultsSource.STRANGER, "", LINK, "john@corp.example")
                        .action());
        assertEquals(Action.PASS, act(defer, LINK), "the retry");
        now = now.plus(Duration.ofMinutes(14));
        assertEquals(
                Action.PASS,
                deliver(evaluator, ResultsSource.STRANGER, "", LINK, "joe@corp.example")
                        .action());
    }

    @Test
    void strangerSignal_needsUnknownOrUnprovenSender() throws IOException {
        MessageEvaluator evaluator = evaluator(Map.of(Signal.NEW_LINK_OF_STRANGER, Action.QUARANTINE), Map.of());
        String proven = "Authentication-Results: mx.corp.example; dkim=pass header.d=partner.example\r\n";
        ResultsSource trusted = ResultsSource.OWN_MAIL_SERVER;
        assertEquals(
                Action.QUARANTINE,
                deliver(evaluator, trusted, proven, LINK, JANE).action(),
                "nobody knows the domain");
        assertEquals(Set.of(Signal.NEW_LINK, Signal.NEW_LINK_OF_STRANGER), signals);
        memory.senders().orElseThrow().rememberPair(JANE, ANN, Optional.empty());
        assertEquals(
                Action.PASS, deliver(evaluator, trusted, proven, LINK, JANE).action());
        assertEquals(Set.of(Signal.NEW_LINK), signals);
        assertEquals(
                Action.QUARANTINE, deliver(evaluator, trusted, "", LINK, JANE).action(), "not authenticated");
    }

    @Test
    void answer_makesItsLinkKnownOnlyIfItIsProven() throws IOException {
        MessageEvaluator evaluator = evaluator(Map.of(), Map.of());
        String proven = "Authentication-Results: mx.corp.example; dkim=pass header.d=partner.example\r\n";
        ResultsSource trusted = ResultsSource.OWN_MAIL_SERVER;
        deliver(evaluator, trusted, proven, LINK, JANE);
        assertFalse(links().isKnown("login-secure.example"), "nobody wrote to the sender");
        memory.senders().orElseThrow().rememberWritten(JANE, ANN);
        deliver(evaluator, trusted, "", LINK, JANE);
        assertFalse(links().isKnown("login-secure.example"), "not authenticated");
        deliver(evaluator, trusted, proven, LINK, JANE);
        assertTrue(links().isKnown("login-secure.example"));
        assertEquals(
                0, deliver(evaluator, trusted, proven, LINK, JANE).findings().size());
        assertEquals(0, facts.links());
    }

    private static NewRecipientLimits limits(Action action) {
        return new NewRecipientLimits(Optional.of(10), Optional.empty(), Optional.of(action));
    }

    private static final ConnectingClient USER =
            new ConnectingClient(Optional.empty(), "", "", true, ResultsSource.STRANGER);

    private long admitted(ConnectingClient client, String user, List<String> recipients) {
        try (MessageEvaluation evaluation = evaluator(Map.of(), Map.of()).open(layers.lease(), client)) {
            evaluation.mailFrom(user);
            return recipients.stream().filter(evaluation::isAdmitted).count();
        }
    }

    private static List<String> strangers(int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(i -> "s" + i + "@stranger" + i + ".example")
                .toList();
    }

    @Test
    void hundredTakeovers_areStoppedAfterTenNewRecipientsAnHour() {
        for (int account = 0; account < 100; account++) {
            String user = "user" + account + "@corp.example";
            long written = 0;
            for (int message = 0; message < 20; message++) {
                written += admitted(USER, user, strangers(account * 1_000 + message * 30, 30));
            }
            assertEquals(10, written, user);
        }
        assertEquals(100, memory.senders().orElseThrow().listBursts().size());
        now = now.plus(Duration.ofHours(1));
        assertEquals(0, memory.senders().orElseThrow().listBursts().size());
        assertEquals(10, admitted(USER, "user1@corp.example", strangers(500_000, 30)));
    }

    @Test
    void ordinaryMailOfUsers_hasNoLimit() {
        List<String> readers = strangers(0, 5_000);
        readers.forEach(reader -> memory.senders().orElseThrow().rememberName(reader, Optional.empty()));
        assertEquals(5_000, admitted(USER, "news@corp.example", readers), "known readers");
        List<String> colleagues = IntStream.range(0, 16)
                .mapToObj(i -> "c" + i + "@sub.corp.example")
                .toList();
        assertEquals(16, admitted(USER, JANE, colleagues), "colleagues");
        assertEquals(30, admitted(USER, "", strangers(0, 30)), "bounces");
        assertEquals(30, admitted(ConnectingClient.UNKNOWN, ANN, strangers(9_000, 30)), "a client from outside");
        assertEquals(0, memory.senders().orElseThrow().listBursts().size());
    }

    @Test
    void sameAddresses_countOnce() {
        List<String> ten = strangers(0, 10);
        assertEquals(10, admitted(USER, JANE, ten));
        assertEquals(10, admitted(USER, JANE, ten));
        assertEquals(0, memory.senders().orElseThrow().listBursts().size());
        assertEquals(0, admitted(USER, JANE, strangers(10, 1)));
        assertEquals(10, admitted(USER, JANE, ten), "earlier ones go on");
        assertEquals(Set.of(JANE), memory.senders().orElseThrow().listBursts().keySet());
    }

    /// Delivers a message of Jane to these recipients.
    private MessageDecision write(List<String> recipients) throws IOException {
        byte[] message = ("From: <" + JANE + ">\r\n\r\nhello\r\n").getBytes(StandardCharsets.UTF_8);
        try (MessageEvaluation evaluation = evaluator(Map.of(), Map.of()).open(layers.lease(), USER)) {
            evaluation.mailFrom(JANE);
            recipients.stream().filter(evaluation::isAdmitted).forEach(evaluation::rcptTo);
            evaluation.message(() -> new ByteArrayInputStream(message), 0);
            evaluation.lookUp();
            MessageDecision decision = evaluation.decide(() -> new ByteArrayInputStream(message));
            evaluation.delivered();
            return decision;
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Action.class,
            names = {"PASS", "TAG", "QUARANTINE", "DEFER"})
    void eleventhNewRecipient_hasTheAction(Action action) throws IOException {
        limits = limits(action);
        assertEquals(Action.PASS, write(strangers(0, 10)).action());

        MessageDecision decision = write(strangers(10, 1));

        boolean isRefusedAtRcpt = action == Action.DEFER;
        assertEquals(isRefusedAtRcpt ? Action.PASS : action, decision.action());
        if (action.compareTo(Action.PASS) > 0 && !isRefusedAtRcpt) {
            assertEquals("signal newRecipients", decision.reason());
        }
        assertEquals(Set.of(JANE), memory.senders().orElseThrow().listBursts().keySet(), "warned of in any case");
    }

    @Test
    void recipientsOfOneMessage_countAlone() throws IOException {
        limits = limits(Action.QUARANTINE);
        List<String> recipients = strangers(0, 12);

        RecipientSplit.Apart split = (RecipientSplit.Apart) write(recipients).split();

        assertEquals(recipients.subList(0, 10), split.deliveredOf(recipients));
        assertEquals(recipients.subList(10, 12), split.keptOf(recipients));
        assertTrue(memory.senders().orElseThrow().isKnown(recipients.get(9)));
        assertFalse(memory.senders().orElseThrow().isKnown(recipients.get(10)), "what is in quarantine");
    }

    @Test
    void limitOfTooManyRecipients_isRefused() {
        Optional<Integer> most = Optional.of(NewRecipientLimits.MAX);
        assertTrue(new NewRecipientLimits(most, most, Optional.empty()).isActive());
        Optional<Integer> more = Optional.of(NewRecipientLimits.MAX + 1);
        assertThrows(
                IllegalArgumentException.class, () -> new NewRecipientLimits(more, Optional.empty(), Optional.empty()));
        assertThrows(
                IllegalArgumentException.class, () -> new NewRecipientLimits(Optional.empty(), more, Optional.empty()));
        assertThrows(
                IllegalArgumentException.class,
                () -> new NewRecipientLimits(Optional.empty(), Optional.empty(), Optional.of(Action.REJECT)));
    }
}
