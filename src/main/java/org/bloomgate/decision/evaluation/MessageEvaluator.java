package org.bloomgate.decision.evaluation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.base.net.Network;
import org.bloomgate.content.mime.EnvelopeKeys;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.PhoneNumbers;
import org.bloomgate.core.lookalike.LookAlikes;
import org.bloomgate.decision.authentication.Authenticator;
import org.bloomgate.decision.policy.Policy;
import org.bloomgate.decision.policy.PolicyOverrides;
import org.bloomgate.decision.senders.KnownSenders;
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
///
/// @param site that the mail server belongs to
/// @param lookAlikes the protected names and their look-alikes
/// @param knownSenders senders of earlier mail by recipient
/// @param authenticator of senders, where a decision depends on them
/// @param readings threads that read messages
/// @param maxSnapshotAge of the newest snapshot; beyond it, a value that is not listed counts as unresolved
public record MessageEvaluator(
        TwoTierLookup lookup,
        Policy policy,
        MessageReader reader,
        Duration maxSnapshotAge,
        InstantSource clock,
        Site site,
        LookAlikes lookAlikes,
        KnownSenders knownSenders,
        Authenticator authenticator,
        ReadingPool readings) {

    /// An evaluator without a site configuration.
    public MessageEvaluator(
            TwoTierLookup lookup, Policy policy, MessageReader reader, Duration maxSnapshotAge, InstantSource clock) {
        this(lookup, policy, reader, maxSnapshotAge, clock, Site.UNKNOWN);
    }

    /// Without protected names and known senders.
    public MessageEvaluator(
            TwoTierLookup lookup,
            Policy policy,
            MessageReader reader,
            Duration maxSnapshotAge,
            InstantSource clock,
            Site site) {
        this(
                lookup,
                policy,
                reader,
                maxSnapshotAge,
                clock,
                site,
                LookAlikes.NONE,
                KnownSenders.none(),
                Authenticator.withoutDns(),
                ReadingPool.ofProcess());
    }

    /// The regions whose phone numbers are recognised without country code.
    public PhoneNumbers phones() {
        return reader.phones();
    }

    /// The same with protected names.
    public MessageEvaluator guarding(LookAlikes names) {
        return new MessageEvaluator(
                lookup, policy, reader, maxSnapshotAge, clock, site, names, knownSenders, authenticator, readings);
    }

    /// True if names are protected.
    boolean guards() {
        return !lookAlikes.isEmpty() || !lookAlikes.people().isEmpty();
    }

    /// The same with known senders.
    public MessageEvaluator meeting(KnownSenders known) {
        return new MessageEvaluator(
                lookup, policy, reader, maxSnapshotAge, clock, site, lookAlikes, known, authenticator, readings);
    }

    /// The same that authenticates senders.
    public MessageEvaluator authenticating(Authenticator by) {
        return new MessageEvaluator(
                lookup, policy, reader, maxSnapshotAge, clock, site, lookAlikes, knownSenders, by, readings);
    }

    /// The same with another pool that reads messages.
    MessageEvaluator reading(ReadingPool by) {
        return new MessageEvaluator(
                lookup, policy, reader, maxSnapshotAge, clock, site, lookAlikes, knownSenders, authenticator, by);
    }

    /// The same whose lookups are not counted.
    public MessageEvaluator uncounted() {
        return new MessageEvaluator(
                lookup.uncounted(),
                policy,
                reader,
                maxSnapshotAge,
                clock,
                site,
                lookAlikes,
                knownSenders,
                authenticator,
                readings);
    }

    /// The same for a listener whose clients are users of the site (mail submission).
    public MessageEvaluator submitting() {
        return new MessageEvaluator(
                lookup,
                policy,
                reader,
                maxSnapshotAge,
                clock,
                site.submitting(),
                lookAlikes,
                knownSenders,
                authenticator,
                readings);
    }

    /// The evaluator of a listener that has rules of its own.
    public MessageEvaluator overriddenBy(PolicyOverrides own, Duration maxSnapshotAgeThere) {
        return new MessageEvaluator(
                lookup,
                policy.overriddenBy(own),
                reader,
                maxSnapshotAgeThere,
                clock,
                site,
                lookAlikes,
                knownSenders,
                authenticator,
                readings);
    }

    /// The same for a listener with names and networks of its own.
    public MessageEvaluator at(Set<String> ownNames, List<Network> ownNetworks) {
        return new MessageEvaluator(
                lookup,
                policy,
                reader,
                maxSnapshotAge,
                clock,
                site.of(ownNames, ownNetworks),
                lookAlikes,
                knownSenders,
                authenticator,
                readings);
    }

    /// Whether a client is rejected before it may send anything: it is listed by a feed with `atConnect`, and
    /// listed clients are rejected. Looks up nothing without such a feed.
    public boolean refusesAtConnect(LayerSource layers, ConnectingClient caller) {
        if (site.atConnect().isEmpty() || site.includes(caller) || policy.shadow("")) {
            return false;
        }
        KeyBatch batch = new KeyBatch(1);
        EnvelopeKeys.client(caller.address(), batch);
        try (LayerLease lease = layers.lease()) {
            LookupResult found = lookup.evaluate(batch, lease);
            return policy.rule(found, Set.of(), "").action() == Action.REJECT && isListedAtConnect(found.verdict());
        }
    }

    private boolean isListedAtConnect(Verdict verdict) {
        return verdict instanceof Verdict.Listed(List<Listing> listings)
                && listings.stream().anyMatch(listing -> site.atConnect().contains(listing.feed()));
    }

    /// Opens the evaluation of one message with the layers of the lease.
    ///
    /// @param lease closed with the evaluation, also if opening it fails
    /// @param caller the client that sends the message
    public MessageEvaluation open(LayerLease lease, ConnectingClient caller) {
        try {
            return new MessageEvaluation(this, lease, caller, outdated(lease));
        } catch (RuntimeException | Error e) {
            lease.close();
            throw e;
        }
    }

    private boolean outdated(LayerLease lease) {
        Optional<Instant> newest = lease.layers().stream().map(Layer::createdAt).max(Instant::compareTo);
        return newest.filter(created -> created.plus(maxSnapshotAge).isBefore(clock.instant()))
                .isPresent();
    }
}
