package org.bloomgate.decision.evaluation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.content.mime.EnvelopeKeys;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.key.PhoneNumbers;
import org.bloomgate.core.lookalike.LookAlikes;
import org.bloomgate.decision.authentication.Authenticator;
import org.bloomgate.decision.memory.SiteMemory;
import org.bloomgate.decision.policy.Policy;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.bloomgate.lookup.tier.Verdict;

/// Evaluates messages: looks up their identifiers and applies the policy to the findings. Everything a result
/// depends on is here or in the lease, so that two equal messages get equal results, whichever listener receives
/// them. Immutable and thread-safe.
public record MessageEvaluator(
        TwoTierLookup lookup, Reading reading, ListenerRules rules, SenderChecks senders, InstantSource clock) {

    /// The services that read messages.
    ///
    /// @param pool threads that read messages
    public record Reading(MessageReader reader, ReadingPool pool) {
        /// Reads in the threads of the process.
        public Reading(MessageReader reader) {
            this(reader, ReadingPool.ofProcess());
        }
    }

    /// The part of the configuration for which a listener may have its own values.
    ///
    /// @param maxSnapshotAge of the newest snapshot; beyond it, a value that is not listed counts as unresolved
    /// @param site that the mail server belongs to
    public record ListenerRules(Policy policy, Duration maxSnapshotAge, Site site) {}

    /// The facts and checks of senders.
    ///
    /// @param lookAlikes the protected names and their look-alikes
    /// @param brands that senders name
    /// @param history what the site has seen before
    /// @param authenticator of senders, where a decision depends on them
    /// @param reports whose sender is authenticated
    public record SenderChecks(
            LookAlikes lookAlikes,
            BrandCheck brands,
            History history,
            Authenticator authenticator,
            ReportAddresses reports) {
        /// No protected names, no memory and no DNS.
        public static final SenderChecks NONE = new SenderChecks(
                LookAlikes.NONE, BrandCheck.NONE, History.NONE, Authenticator.withoutDns(), ReportAddresses.NONE);

        /// True if names are protected.
        boolean hasProtectedNames() {
            return !lookAlikes.isEmpty() || !lookAlikes.people().isEmpty();
        }
    }

    /// The regions whose phone numbers are recognised without country code.
    public PhoneNumbers phones() {
        return reading.reader().phones();
    }

    /// Returns this evaluator with the rules of a listener.
    public MessageEvaluator withParts(ListenerRules own) {
        return new MessageEvaluator(lookup, reading, own, senders, clock);
    }

    /// What the site has seen before.
    ///
    /// @param popular domains that are never new
    /// @param ownDomains of the users of the site, each with all names below it
    public record History(SiteMemory memory, Set<String> popular, Set<String> ownDomains) {
        /// Nothing is remembered.
        public static final History NONE = new History(SiteMemory.NONE, Set.of(), Set.of());

        public History {
            popular = Set.copyOf(popular);
            ownDomains = Set.copyOf(ownDomains);
        }

        /// Whether an address is one of the site.
        boolean isOwn(String address) {
            String domain = MailAddress.domainOf(address);
            return ownDomains.stream().anyMatch(own -> domain.equals(own) || domain.endsWith("." + own));
        }
    }

    /// Returns this evaluator with a memory.
    public MessageEvaluator withParts(SiteMemory memory) {
        return withParts(new SenderChecks(
                senders.lookAlikes(),
                senders.brands(),
                new History(
                        memory, senders.history().popular(), senders.history().ownDomains()),
                senders.authenticator(),
                senders.reports()));
    }

    /// Returns this evaluator without DNS queries for senders.
    MessageEvaluator withoutDns() {
        return withParts(new SenderChecks(
                senders.lookAlikes(),
                senders.brands(),
                senders.history(),
                senders.authenticator().offline(),
                senders.reports()));
    }

    /// Returns this evaluator with other checks of senders.
    public MessageEvaluator withParts(SenderChecks checks) {
        return new MessageEvaluator(lookup, reading, rules, checks, clock);
    }

    /// Returns this evaluator with lookups that are not counted.
    MessageEvaluator withoutCounts() {
        return new MessageEvaluator(lookup.uncounted(), reading, rules, senders, clock);
    }

    /// Whether a client is rejected before it may send anything: it is listed by a feed with `atConnect`, and
    /// listed clients are rejected. Looks up nothing without such a feed.
    public boolean rejectsAtConnect(LayerSource layers, ConnectingClient caller) {
        Site site = rules.site();
        if (site.atConnect().isEmpty()
                || site.includes(caller)
                || rules.policy().shadow("")) {
            return false;
        }
        KeyBatch batch = new KeyBatch(1);
        EnvelopeKeys.appendClient(caller.address(), batch);
        try (LayerLease lease = layers.lease()) {
            LookupResult result = lookup.evaluate(batch, lease);
            return rules.policy().rule(result, Set.of(), "").action() == Action.REJECT
                    && isListedAtConnect(result.verdict());
        }
    }

    private boolean isListedAtConnect(Verdict verdict) {
        return verdict instanceof Verdict.Listed(List<Listing> listings)
                && listings.stream()
                        .anyMatch(listing -> rules.site().atConnect().contains(listing.feed()));
    }

    /// Opens the evaluation of one message with the layers of the lease.
    ///
    /// @param lease closed with the evaluation, also if opening it fails
    /// @param caller the client that sends the message
    public MessageEvaluation open(LayerLease lease, ConnectingClient caller) {
        try {
            return new MessageEvaluation(new EvaluationContext(this, lease, caller, isOutdated(lease)));
        } catch (RuntimeException | Error e) {
            lease.close();
            throw e;
        }
    }

    private boolean isOutdated(LayerLease lease) {
        Optional<Instant> newest = lease.layers().stream().map(Layer::createdAt).max(Instant::compareTo);
        return newest.filter(created -> created.plus(rules.maxSnapshotAge()).isBefore(clock.instant()))
                .isPresent();
    }
}
