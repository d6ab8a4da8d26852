package org.bloomgate.decision.evaluation;

import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.decision.policy.PolicyResult;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.LookupResult;

/// The results of the policy for the recipients of one message, combined into one decision. How different actions are
/// carried out is in its [RecipientSplit].
///
/// @param recipients all recipients
/// @param results one for each group of recipients with the same rules, in order
/// @param sameRules whether two recipients are in one group
record RecipientResults(
        LookupResult lookupResult,
        Set<Limit> limits,
        List<String> recipients,
        List<Result> results,
        BiPredicate<String, String> sameRules) {

    private static final String DIFFER = ", recipients differ";

    /// The result for a group of recipients.
    ///
    /// @param mailbox of one of them
    record Result(String mailbox, PolicyResult result, Action enforced) {
        /// Returns the result with the enforced action, which is compared with the actions of other groups.
        PolicyResult withEnforcedAction() {
            return enforced == result.action() ? result : result.withAction(enforced, ", in shadow");
        }
    }

    MessageDecision decide() {
        boolean isSameAction = results.stream().map(Result::enforced).distinct().count() <= 1;
        return isSameAction ? decideTogether() : decideDifferent();
    }

    private MessageDecision decideTogether() {
        PolicyResult result = results.stream()
                .map(Result::result)
                .reduce(PolicyResult::takeStricter)
                .orElse(PolicyResult.PASS);
        Action enforced = results.isEmpty() ? Action.PASS : results.getFirst().enforced();
        return new MessageDecision(lookupResult, result, enforced, limits);
    }

    private MessageDecision decideDifferent() {
        return results.stream()
                .filter(one -> one.enforced() == Action.DEFER
                        && one.result().findings().isEmpty())
                .findFirst()
                .map(unresolved -> createDecision(unresolved.result(), RecipientSplit.NONE))
                .orElseGet(this::decideApart);
    }

    private MessageDecision createDecision(PolicyResult result, RecipientSplit split) {
        return new MessageDecision(lookupResult, result, result.action(), limits, split);
    }

    private MessageDecision decideShared() {
        return createDecision(
                results.stream()
                        .map(Result::withEnforcedAction)
                        .reduce(PolicyResult::combineRecipients)
                        .orElse(PolicyResult.PASS),
                RecipientSplit.NONE);
    }

    private MessageDecision decideApart() {
        List<Integer> deliveredRecipients = findRecipients(Action::isDelivered);
        List<Integer> heldRecipients = findRecipients(action -> !action.isDelivered() && action != Action.DISCARD);
        if (deliveredRecipients.size() == recipients.size()) {
            return decideShared();
        }
        boolean isTagged = deliveredRecipients.stream().anyMatch(i -> findEnforced(recipients.get(i)) != Action.PASS);
        Action action = heldRecipients.isEmpty() ? Action.DISCARD : Action.QUARANTINE;
        PolicyResult strictest = results.stream()
                .map(Result::withEnforcedAction)
                .reduce(PolicyResult::takeStricter)
                .orElse(PolicyResult.PASS);
        return createDecision(
                strictest.withAction(action, DIFFER),
                new RecipientSplit.Apart(deliveredRecipients, heldRecipients, isTagged));
    }

    private List<Integer> findRecipients(Predicate<Action> enforced) {
        return IntStream.range(0, recipients.size())
                .filter(i -> enforced.test(findEnforced(recipients.get(i))))
                .boxed()
                .toList();
    }

    private Action findEnforced(String mailbox) {
        return results.stream()
                .filter(one -> sameRules.test(one.mailbox(), mailbox))
                .map(Result::enforced)
                .findFirst()
                .orElse(Action.PASS);
    }
}
