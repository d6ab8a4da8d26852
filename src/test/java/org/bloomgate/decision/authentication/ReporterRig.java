package org.bloomgate.decision.authentication;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.github.benmanes.caffeine.cache.Ticker;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.bloomgate.base.net.Network;
import org.bloomgate.core.lookalike.LookAlikes;
import org.bloomgate.decision.authentication.AuthenticationOptions.OnUnknown;
import org.bloomgate.decision.evaluation.BrandCheck;
import org.bloomgate.decision.evaluation.ConnectingClient;
import org.bloomgate.decision.evaluation.EvaluationRig;
import org.bloomgate.decision.evaluation.MessageDecision;
import org.bloomgate.decision.evaluation.MessageEvaluation;
import org.bloomgate.decision.evaluation.MessageEvaluator.History;
import org.bloomgate.decision.evaluation.MessageEvaluator.SenderChecks;
import org.bloomgate.decision.evaluation.ReportAddresses;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.lookup.dns.DnsClient;
import org.bloomgate.server.dns.ListedHosts;

/// Messages to the address for reports of the site corp.example, which lists evil.example.
final class ReporterRig {
    static final String REPORTS = "phish@corp.example";

    OnUnknown onUnknown = OnUnknown.DEFER;

    private final EvaluationRig rig = new EvaluationRig(new ListedHosts()
            .lists("evil.example")
            .listsNetworks("198.51.100.0/24")
            .inForce());
    private final ZoneQueries zones;

    ReporterRig(ZoneQueries zones) {
        this.zones = zones;
    }

    /// @param reporter as of [MessageEvaluation#reporter()]
    record Delivery(MessageDecision decision, Optional<String> reporter) {}

    static ConnectingClient client(String address, boolean hasLoggedIn, ResultsSource results) {
        return new ConnectingClient(
                Optional.of(InetAddress.ofLiteral(address)), "", "mail.client.example", hasLoggedIn, results);
    }

    private SenderChecks checks() {
        // One of its own for each message, as the queries for a domain are limited in a second.
        AuthenticationDns dns = new AuthenticationDns(new DnsClient(
                question -> CompletableFuture.completedFuture(zones.query(question.name(), question.type())),
                Ticker.systemTicker()));
        Authenticator authenticator = new Authenticator(
                new AuthenticationOptions(List.of("mx.corp.example"), onUnknown, Duration.ofSeconds(5)),
                Set.of("corp.example"),
                dns,
                () -> SignedMessage.NOW);
        ReportAddresses reports =
                new ReportAddresses(Set.of(REPORTS), List.of(Network.of("192.0.2.64/28")), Set.of("corp.example"));
        return new SenderChecks(LookAlikes.NONE, BrandCheck.NONE, History.NONE, authenticator, reports);
    }

    /// Up to the decision, or to the first recipient that is rejected.
    Delivery deliver(ConnectingClient client, String mailFrom, String message, String... recipients) {
        byte[] bytes = message.getBytes(ISO_8859_1);
        try (MessageEvaluation evaluation =
                rig.evaluator(PolicyOptions.defaults()).withParts(checks()).open(rig.lease(), client)) {
            evaluation.mailFrom(mailFrom);
            for (String recipient : recipients) {
                Optional<MessageDecision> refusal = evaluation.refusal(recipient);
                if (refusal.isPresent()) {
                    return new Delivery(refusal.get(), Optional.empty());
                }
                evaluation.rcptTo(recipient);
            }
            evaluation.message(() -> new ByteArrayInputStream(bytes), 0);
            evaluation.lookUp();
            MessageDecision decision = evaluation.decide(() -> new ByteArrayInputStream(bytes));
            return new Delivery(decision, evaluation.reporter());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
