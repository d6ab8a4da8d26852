package org.bloomgate.decision.evaluation;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.core.lookalike.LookAlikes;
import org.bloomgate.decision.authentication.Authenticator;
import org.bloomgate.decision.evaluation.MessageEvaluator.ListenerRules;
import org.bloomgate.decision.evaluation.MessageEvaluator.SenderChecks;
import org.bloomgate.decision.policy.Policy;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.ListingException;
import org.bloomgate.lookup.tier.LocalRules;
import org.bloomgate.lookup.tier.LookupCounts;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.bloomgate.server.dns.ListedHosts;

/// Messages before an evaluator at the layers of a test, in the order SMTP brings them; keeps what the lease
/// was told.
public final class EvaluationRig implements LayerSource {
    public static final Duration MAX_AGE = Duration.ofHours(36);
    public static final Set<String> OWN_NAMES = Set.of("mx.corp.example");
    public static final Set<String> AT_CONNECT = Set.of("nets");

    /// What the evaluator's clock says.
    Instant now = ListedHosts.CREATED;

    /// What operators say, instead of what the layers bring.
    public Optional<LocalRules> rules = Optional.empty();

    /// Exemptions the lease was told of.
    public final List<ListingException> met = new ArrayList<>();

    /// Leases that are not closed.
    int open;

    private final LayerSource layers;

    public EvaluationRig(LayerSource layers) {
        this.layers = layers;
    }

    public static ConnectingClient client(String address) {
        return client(address, "mail.client.example");
    }

    public static ConnectingClient client(String address, String helo) {
        return ConnectingClient.of(IpLiteral.parse(address), helo);
    }

    public MessageEvaluator evaluator(PolicyOptions options) {
        return evaluator(options, new MessageReader(MessageLimits.defaults()));
    }

    public MessageEvaluator evaluator(PolicyOptions options, MessageReader reader) {
        return evaluator(options, new MessageEvaluator.Reading(reader));
    }

    MessageEvaluator evaluator(PolicyOptions options, MessageEvaluator.Reading reading) {
        return new MessageEvaluator(
                new TwoTierLookup(Duration.ofSeconds(1), new LookupCounts()),
                reading,
                new ListenerRules(
                        new Policy(options, Map.of("default", Action.TAG)),
                        MAX_AGE,
                        new Site(OWN_NAMES, List.of(), AT_CONNECT)),
                SenderChecks.NONE,
                () -> now);
    }

    /// An evaluator without a site.
    public static MessageEvaluator evaluator(
            TwoTierLookup lookup, Policy policy, MessageReader reader, Duration maxSnapshotAge, InstantSource clock) {
        return evaluator(lookup, policy, reader, maxSnapshotAge, clock, Site.UNKNOWN);
    }

    public static MessageEvaluator evaluator(
            TwoTierLookup lookup,
            Policy policy,
            MessageReader reader,
            Duration maxSnapshotAge,
            InstantSource clock,
            Site site) {
        return new MessageEvaluator(
                lookup,
                new MessageEvaluator.Reading(reader),
                new ListenerRules(policy, maxSnapshotAge, site),
                SenderChecks.NONE,
                clock);
    }

    static SenderChecks guarding(LookAlikes lookAlikes) {
        return new SenderChecks(
                lookAlikes,
                BrandCheck.NONE,
                MessageEvaluator.History.NONE,
                Authenticator.withoutDns(),
                ReportAddresses.NONE);
    }

    /// Up to the final dot: what [MessageEvaluation#decide] says is the test's to ask.
    public MessageEvaluation hear(
            MessageEvaluator evaluator, ConnectingClient caller, String sender, String message, String... recipients) {
        MessageEvaluation evaluation = evaluator.open(lease(), caller);
        evaluation.mailFrom(sender);
        List.of(recipients).forEach(evaluation::rcptTo);
        return read(evaluation, message);
    }

    /// The result on a message whose evaluation is over then.
    public MessageDecision rule(
            MessageEvaluator evaluator, ConnectingClient caller, String sender, String message, String... recipients) {
        try (MessageEvaluation evaluation = hear(evaluator, caller, sender, message, recipients)) {
            return evaluation.decide(InputStream::nullInputStream);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    public static MessageEvaluation read(MessageEvaluation evaluation, String message) {
        try {
            evaluation.message(() -> new ByteArrayInputStream(message.getBytes(StandardCharsets.UTF_8)), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        evaluation.lookUp();
        return evaluation;
    }

    @Override
    public LayerLease lease() {
        LayerLease lease = layers.lease();
        open++;
        return new LayerLease() {
            @Override
            public List<Layer> layers() {
                return lease.layers();
            }

            @Override
            public PublicSuffixes suffixes() {
                return lease.suffixes();
            }

            @Override
            public LocalRules local() {
                return rules.orElseGet(lease::local);
            }

            @Override
            public void recordHit(ListingException exception) {
                met.add(exception);
            }

            @Override
            public void close() {
                open--;
            }
        };
    }
}
