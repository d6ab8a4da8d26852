package org.bloomgate.decision.evaluation;

import java.util.function.Supplier;
import org.bloomgate.content.links.Inspection;
import org.bloomgate.content.mime.EnvelopeKeys;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.decision.policy.HeloFlaw;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.SenderNames;

/// The services and facts that every step of the evaluation of one message uses, fixed when it is opened.
///
/// @param client that sends the message
/// @param isOutdated true if the newest snapshot is older than `maxSnapshotAge`
record EvaluationContext(MessageEvaluator evaluator, LayerLease lease, ConnectingClient client, boolean isOutdated) {

    /// True if lists of clients apply to the client, because it is not of the site.
    boolean isStranger() {
        return !site().includes(client);
    }

    /// True if the client has logged in, or may use a listener for users of the site.
    boolean isOfUser() {
        return client.authenticated() || site().submission();
    }

    /// Returns the flaw of the HELO of a client that is not of the site.
    HeloFlaw findHeloFlaw() {
        return isStranger() ? site().findFlaw(client.helo()) : HeloFlaw.NONE;
    }

    ReportAddresses reports() {
        return evaluator.senders().reports();
    }

    Site site() {
        return evaluator.rules().site();
    }

    PublicSuffixes suffixes() {
        return lease.suffixes();
    }

    /// Appends the keys of the client.
    Inspection appendClient(KeyBatch batch) {
        return EnvelopeKeys.appendClientAndNames(client.address(), client.name(), client.helo(), suffixes(), batch);
    }

    /// @param names of the sender, computed only if an exception depends on them
    LookupResult lookUp(KeyBatch batch, Supplier<SenderNames> names) {
        return evaluator.lookup().evaluate(batch, lease, names);
    }

    /// Creates the result before any lookup.
    LookupResult createEmptyResult() {
        return lease.layers().isEmpty() ? LookupResult.NO_LAYERS : LookupResult.NOTHING;
    }
}
