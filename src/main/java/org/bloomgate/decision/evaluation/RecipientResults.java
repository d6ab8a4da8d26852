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

/// The results of the policy for the recipients of one message, and the one decision that they give.
///
/// @param recipients all of them
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
        /// The result with the enforced action, which is compared with those of other groups.
        PolicyResult effective() {
            return enforced == result.action() ? result : result.withAction(enforced, ", in shadow");
        }
    }

    MessageDecision decision() {
        boolean agreed = results.stream().map(Result::enforced).distinct().count() <= 1;
        return agreed ? together() : different();
    }

    private MessageDecision together() {
        PolicyResult result = results.stream()
                .map(Result::result)
                .reduce(PolicyResult::takeStricter)
                .orElse(PolicyResult.PASS);
        Action enforced = results.isEmpty() ? Action.PASS : results.getFirst().enforced();
        return new MessageDecision(lookupResult, result, enforced, limits);
    }

    private MessageDecision different() {
        return results.stream()
                .filter(one -> one.enforced() == Action.DEFER
                        && one.result().findings().isEmpty())
                .findFirst()
                .map(unresolved -> of(unresolved.result(), RecipientSplit.NONE))
                .orElseGet(this::apart);
    }

    private MessageDecision of(PolicyResult result, RecipientSplit split) {
        return new MessageDecision(lookupResult, result, result.action(), limits, split);
    }

    private MessageDecision shared() {
        return of(
                results.stream()
                        .map(Result::effective)
                        .reduce(PolicyResult::combineRecipients)
                        .orElse(PolicyResult.PASS),
                RecipientSplit.NONE);
    }

    private MessageDecision apart() {
        List<Integer> deliveredRecipients = where(Action::isDelivered);
        List<Integer> heldRecipients = where(action -> !action.isDelivered() && action != Action.DISCARD);
        if (deliveredRecipients.size() == recipients.size()) {
            return shared();
        }
        boolean tagged = deliveredRecipients.stream().anyMatch(i -> enforcedFor(recipients.get(i)) != Action.PASS);
        Action done = heldRecipients.isEmpty() ? Action.DISCARD : Action.QUARANTINE;
        PolicyResult hardest = results.stream()
                .map(Result::effective)
                .reduce(PolicyResult::takeStricter)
                .orElse(PolicyResult.PASS);
        return of(
                hardest.withAction(done, DIFFER),
                new RecipientSplit.Apart(deliveredRecipients, heldRecipients, tagged));
    }

    private List<Integer> where(Predicate<Action> enforced) {
        return IntStream.range(0, recipients.size())
                .filter(i -> enforced.test(enforcedFor(recipients.get(i))))
                .boxed()
                .toList();
    }

    private Action enforcedFor(String mailbox) {
        return results.stream()
                .filter(one -> sameRules.test(one.mailbox(), mailbox))
                .map(Result::enforced)
                .findFirst()
                .orElse(Action.PASS);
    }
}
