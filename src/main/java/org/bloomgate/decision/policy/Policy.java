package org.bloomgate.decision.policy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Finding;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.ListingException;
import org.bloomgate.lookup.tier.LocalRules;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.Verdict;

/// Turns findings into an action, for one recipient. Immutable and thread-safe.
///
/// The action of a listing is the mildest that its place, its category and its feed allow. The action of a message
/// is the strictest over its listings. Rules are layered; a later rule overrides an earlier one, in this order: the
/// general configuration, the listener, the sender (the widest pattern first), the recipient (the same).
public final class Policy {
    /// RFC 5321 4.5.1 and RFC 2142: a rejected sender must be able to reach these mailboxes.
    private static final Set<String> NEVER_REJECTED = Set.of("postmaster", "abuse");

    private static final String SIGNAL = "signal ";

    private final PolicyOptions options;
    private final Rules general;

    /// @param onUnknown what an unresolved suspect does, by category of the feeds that could list it; `default` for
    ///     the rest. Never stricter than [Action#DEFER]: nothing was proven
    public Policy(PolicyOptions options, Map<String, Action> onUnknown) {
        this(options, Rules.of(options, onUnknown));
    }

    private Policy(PolicyOptions options, Rules general) {
        this.options = options;
        this.general = general;
    }

    /// Whether the category allows a message to be rejected.
    public boolean refuses(String category) {
        return general.rejects(category);
    }

    /// This policy with the overrides of one listener.
    public Policy overriddenBy(PolicyOverrides own) {
        return new Policy(options, general.overriddenBy(own, general.by()));
    }

    /// This policy for mail of one sender, once that sender is authenticated.
    ///
    /// @param mailbox reverse-path without brackets
    public Policy forSender(String mailbox) {
        return forSender(options.senders(), mailbox);
    }

    private Policy forSender(Map<MailboxPattern, PolicyOverrides> rules, String mailbox) {
        return rules.isEmpty() || MailboxPattern.matching(rules, mailbox).isEmpty()
                ? this
                : new Policy(options, over(general, rules, mailbox, "sender rules"));
    }

    /// This policy with the rules that also count for mail that only claims the sender.
    ///
    /// @param mailbox reverse-path without brackets
    public Policy forClaimedSender(String mailbox) {
        if (options.senders().isEmpty()) {
            return this;
        }
        Map<MailboxPattern, PolicyOverrides> claimed = new HashMap<>(options.senders());
        claimed.values().removeIf(PolicyOverrides::needsProof);
        return forSender(claimed, mailbox);
    }

    private Rules rulesFor(String recipient) {
        return over(general, options.recipients(), recipient, "recipient rules");
    }

    /// @param origin of the overrides, as text for the reason
    private static Rules over(
            Rules rules, Map<MailboxPattern, PolicyOverrides> overrides, String mailbox, String origin) {
        Rules merged = rules;
        if (!overrides.isEmpty()) {
            for (PolicyOverrides own : MailboxPattern.matching(overrides, mailbox)) {
                merged = merged.overriddenBy(own, origin);
            }
        }
        return merged;
    }

    /// The result on an evaluated message for one recipient.
    ///
    /// @param recipient the forward-path without brackets; empty if there is none (a `scan` without
    ///     `--rcpt-to`)
    /// @param limits names of the limits that kept the message from being fully inspected
    public PolicyResult rule(LookupResult lookupResult, Set<Limit> limits, String recipient) {
        Rules rules = rulesFor(recipient);
        PolicyResult result = limits.isEmpty() ? PolicyResult.PASS : partial(rules, limits);
        for (Finding finding : lookupResult.findings()) {
            result = result.takeStricter(rule(rules, finding, recipient));
        }
        result = soften(result, recipient);
        return lookupResult.hadLayers() ? result : result.takeStricter(withoutSnapshot("no snapshot", recipient));
    }

    /// The exceptions for the domain of this recipient that override a finding.
    public Stream<ListingException> met(LookupResult lookupResult, String recipient) {
        return lookupResult.findings().stream()
                .flatMap(finding -> finding.hitExceptions(MailAddress.domainOf(recipient)));
    }

    private static PolicyResult partial(Rules rules, Set<Limit> limits) {
        String reason = "not fully inspected: " + String.join(", ", Limit.labels(limits));
        return new PolicyResult(rules.onPartial(limits), List.of(), reason + origin(rules));
    }

    /// The result without a valid snapshot.
    ///
    /// @param why one line for the log
    public PolicyResult withoutSnapshot(String why, String recipient) {
        Rules rules = rulesFor(recipient);
        return soften(new PolicyResult(rules.onNoSnapshot(), List.of(), why + origin(rules)), recipient);
    }

    /// The result on the HELO name alone.
    public PolicyResult rule(HeloFlaw flaw, String recipient) {
        return switch (flaw) {
            case NONE -> PolicyResult.PASS;
            case OWN_NAME ->
                soften(new PolicyResult(options.helo().ownName(), List.of(), "HELO with our own name"), recipient);
            case SYNTAX -> soften(new PolicyResult(options.helo().syntax(), List.of(), "HELO with no name"), recipient);
        };
    }

    /// The result on a link whose target cannot be known offline. A recipient rule, whose action is for listings at
    /// all places, can only make it milder.
    public PolicyResult unknownTarget(String recipient) {
        Rules rules = rulesFor(recipient);
        Action action = rules.at(Place.UNKNOWN_TARGET).atMost(general.at(Place.UNKNOWN_TARGET));
        return action == Action.PASS
                ? PolicyResult.PASS
                : soften(
                        new PolicyResult(action, List.of(), "a link with an unknown target" + origin(rules)),
                        recipient);
    }

    /// The result on a message that has these signals.
    ///
    /// @param isDeferrable whether a deferral still makes sense; otherwise the message passes
    public PolicyResult rule(Set<Signal> signals, boolean isDeferrable, String recipient) {
        PolicyResult result = PolicyResult.PASS;
        Rules rules = signals.isEmpty() ? general : rulesFor(recipient);
        for (Signal signal : signals) {
            Action action = rules.signals().getOrDefault(signal, Action.PASS);
            if (action != Action.PASS && (action != Action.DEFER || isDeferrable)) {
                result = result.takeStricter(
                        new PolicyResult(action, List.of(), SIGNAL + signal.label() + origin(rules)));
            }
        }
        return soften(result, recipient);
    }

    /// How many addresses that are new to the site the sender may write to, if it is a user of the site.
    public NewRecipientLimits newRecipients() {
        return general.newRecipients();
    }

    /// The result for one recipient more than that.
    public PolicyResult ruleNewRecipient(String recipient) {
        Action action = general.newRecipients().action().orElse(Action.DEFER);
        return soften(new PolicyResult(action, List.of(), SIGNAL + "newRecipients" + origin(general)), recipient);
    }

    /// Whether nothing but a signal decided.
    public static boolean isOfSignal(PolicyResult result) {
        return result.reason().startsWith(SIGNAL);
    }

    /// True in shadow mode: messages to this recipient are evaluated, and no action is enforced.
    public boolean shadow(String recipient) {
        return rulesFor(recipient).shadow();
    }

    /// The prefix of the subject of a message that is tagged and marked; may be empty.
    public String subjectPrefix() {
        return options.subjectPrefix();
    }

    /// The text of the reply to a rejected client.
    public ReplyText replyText() {
        return options.replyText();
    }

    /// True when every message gets the same result for both recipients, so that one reply to it fits both.
    ///
    /// @param local entries of operators, whose exceptions may be for some recipient domains
    public boolean sameRules(String recipient, String other, LocalRules local) {
        return isNeverRejected(recipient) == isNeverRejected(other)
                && local.sameFor(MailAddress.domainOf(recipient), MailAddress.domainOf(other))
                && (options.recipients().isEmpty() || rulesFor(recipient).equals(rulesFor(other)));
    }

    private static PolicyResult rule(Rules rules, Finding finding, String recipient) {
        return switch (finding.verdictFor(MailAddress.domainOf(recipient))) {
            case Verdict.Clean _ -> PolicyResult.PASS;
            case Verdict.Listed listed -> listed(rules, finding, listed.listings());
            case Verdict.Unresolved unresolved -> {
                Action action = rules.onUnknown(unresolved.categories());
                yield new PolicyResult(
                        action,
                        List.of(finding),
                        Optional.empty(),
                        unresolved.kind().label() + at(finding) + origin(rules),
                        action != Action.PASS && rules.rejects(unresolved.categories()),
                        Map.of());
            }
        };
    }

    private static PolicyResult listed(Rules rules, Finding finding, List<Listing> listings) {
        Place place = finding.identifier().place();
        PolicyResult result = PolicyResult.PASS;
        for (Listing listing : listings) {
            Action action = rules.onListed(place, listing);
            result = result.takeStricter(
                    listing.source().isInShadow()
                            ? new PolicyResult(
                                    Action.PASS,
                                    List.of(),
                                    Optional.empty(),
                                    PolicyResult.PASS.reason(),
                                    false,
                                    Map.of(listing.feed(), action))
                            : new PolicyResult(
                                    action,
                                    action == Action.PASS ? List.of() : List.of(finding),
                                    Optional.of(listing),
                                    Verdict.Kind.LISTED.label() + at(finding) + origin(rules),
                                    action != Action.PASS && rules.rejects(listing),
                                    Map.of()));
        }
        return result;
    }

    private static String at(Finding finding) {
        return " at " + finding.identifier().where();
    }

    private static String origin(Rules rules) {
        return rules.by().isEmpty() ? "" : ", " + rules.by();
    }

    /// The result for a recipient who is never rejected: at most a tag.
    public static PolicyResult soften(PolicyResult result, String recipient) {
        return isNeverRejected(recipient) ? result.withActionCappedAt(Action.TAG, ", recipient excepted") : result;
    }

    private static boolean isNeverRejected(String recipient) {
        return NEVER_REJECTED.contains(TextForms.lowerCase(localPartOf(recipient)));
    }

    private static String localPartOf(String recipient) {
        int at = recipient.lastIndexOf('@');
        return at < 0 ? recipient : recipient.substring(0, at);
    }
}
