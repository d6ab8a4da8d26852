package org.bloomgate.smtp;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.envelope.Replies;
import org.bloomgate.envelope.Reply;
import org.bloomgate.lookup.Judgement;
import org.bloomgate.lookup.Layer;
import org.bloomgate.lookup.LayerLease;
import org.bloomgate.policy.Action;
import org.bloomgate.policy.DifferingRecipients;
import org.bloomgate.policy.Policy;
import org.bloomgate.policy.Ruling;

/// The policy as it applies to one transaction, with the snapshots that transaction asks.
///
/// @param checkable false without any snapshot: nothing can be asked but what operators list themselves
/// @param outdated true when even the newest snapshot is past its age
record TransactionPolicy(Policy policy, boolean checkable, boolean outdated) {

    static TransactionPolicy of(Policy policy, LayerLease lease, Instant now, Duration maxAge) {
        Optional<Instant> newest = lease.layers().stream().map(Layer::createdAt).max(Instant::compareTo);
        boolean outdated =
                newest.filter(created -> created.plus(maxAge).isBefore(now)).isPresent();
        return new TransactionPolicy(policy, newest.isPresent(), outdated);
    }

    /// @param limits names of the limits that kept the message from being fully inspected
    Ruling rule(Judgement judgement, Set<String> limits, String mailbox) {
        Ruling unasked = policy.withoutSnapshot(mailbox);
        Ruling ruling = policy.rule(judgement, limits, mailbox);
        if (!checkable) {
            return ruling.or(unasked);
        }
        return outdated ? ruling.or(new Ruling(unasked.action(), List.of(), "newest snapshot too old")) : ruling;
    }

    /// The ruling on a message for all its recipients. Those that must be sent to apart are here in shadow mode only,
    /// and do not count.
    ///
    /// @param mailboxes one of each kind of recipients that differ in their rules, in order; at least one
    Ruling rule(Judgement judgement, Set<String> limits, List<String> mailboxes) {
        int counting = switch (policy.differingRecipients()) {
            case DEFER -> 1;
            case TAG -> mailboxes.size();
        };
        return mailboxes.stream()
                .limit(counting)
                .map(mailbox -> rule(judgement, limits, mailbox))
                .reduce(Ruling::shared)
                .orElse(Ruling.PASS);
    }

    /// True when a recipient with other rules than those before it must be sent to apart.
    boolean refusesDiffering() {
        return policy.differingRecipients() == DifferingRecipients.DEFER && !policy.shadow();
    }

    /// What is done of a ruling: nothing in shadow mode.
    Action enforced(Ruling ruling) {
        return policy.shadow() ? Action.PASS : ruling.action();
    }

    /// The reply of an action that is enforced and lets nothing through; empty for the others.
    Optional<Reply> refusal(Ruling ruling, String token) {
        return switch (enforced(ruling)) {
            case PASS, TAG, QUARANTINE, DISCARD -> Optional.empty();
            case DEFER -> Optional.of(ruling.because().isEmpty() ? Replies.unchecked(token) : Replies.deferred(token));
            case REJECT -> Optional.of(Replies.refused(token));
        };
    }
}
