package org.bloomgate.policy;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.bloomgate.lookup.Finding;
import org.bloomgate.lookup.Judgement;
import org.bloomgate.lookup.LocalRules;
import org.bloomgate.verdict.Verdict;

/// Turns what was found into what is done, for one recipient. Immutable, thread-safe.
public final class Policy {
    private static final String DEFAULT = "default";

    /// RFC 5321 4.5.1 and RFC 2142: a sender who is refused must be able to ask why.
    private static final Set<String> NEVER_REFUSED = Set.of("postmaster", "abuse");

    private final PolicyOptions options;
    private final Map<String, Action> onUnknown;

    /// @param onUnknown what an unresolved suspect does, by category of the feeds that could list it; `default` for
    ///     the rest. Harder than [Action#DEFER] is never done: nothing was proven
    public Policy(PolicyOptions options, Map<String, Action> onUnknown) {
        this.options = options;
        this.onUnknown = Map.copyOf(onUnknown);
    }

    /// This policy as one listener has it.
    public Policy overriddenBy(PolicyOverrides own) {
        return new Policy(options.overriddenBy(own), PolicyOverrides.over(onUnknown, own.onUnknown()));
    }

    /// The ruling on a judged message for one recipient.
    ///
    /// @param recipient the forward-path without brackets; empty when there is none (a `scan` without `--rcpt-to`)
    /// @param limits names of the limits that kept the message from being fully inspected
    public Ruling rule(Judgement judgement, Set<String> limits, String recipient) {
        Ruling ruling = limits.isEmpty()
                ? Ruling.PASS
                : new Ruling(options.onPartial(), List.of(), "not fully inspected: " + String.join(", ", limits));
        for (Finding finding : judgement.findings()) {
            ruling = ruling.or(rule(finding, recipient));
        }
        ruling = soften(ruling, recipient);
        return judgement.asked() ? ruling : ruling.or(withoutSnapshot("no snapshot", recipient));
    }

    /// The ruling when no snapshot can be asked that counts.
    ///
    /// @param why one line for the log
    public Ruling withoutSnapshot(String why, String recipient) {
        return soften(new Ruling(options.onNoSnapshot(), List.of(), why), recipient);
    }

    /// True while everything is judged and nothing enforced.
    public boolean shadow() {
        return options.shadow();
    }

    public DifferingRecipients differingRecipients() {
        return options.differingRecipients();
    }

    /// Put before the subject of a message that is tagged; may be empty.
    public String subjectPrefix() {
        return options.subjectPrefix();
    }

    /// True when every message gets the same ruling for both recipients, so that one reply to it fits both.
    ///
    /// @param local what operators say, for some recipient domains perhaps
    public boolean sameRules(String recipient, String other, LocalRules local) {
        return exempt(recipient) == exempt(other)
                && local.sameFor(domainOf(recipient), domainOf(other))
                && Objects.equals(
                        options.recipients().get(domainOf(recipient)),
                        options.recipients().get(domainOf(other)));
    }

    private Ruling rule(Finding finding, String recipient) {
        Verdict verdict = finding.verdictFor(domainOf(recipient));
        Action action = switch (verdict) {
            case Verdict.Clean clean -> Action.PASS;
            case Verdict.Listed listed -> onListed(finding, recipient);
            case Verdict.Unresolved unresolved -> whenUnknown(unresolved.categories());
        };
        return new Ruling(
                action,
                List.of(finding),
                verdict.word().label() + " at " + finding.identifier().where());
    }

    private Action onListed(Finding finding, String recipient) {
        PolicyOptions.RecipientRule own = options.recipients().get(domainOf(recipient));
        return own != null
                ? own.listed()
                : options.onListed(finding.identifier().place());
    }

    /// The hardest action of all categories that may be meant, but never a refusal for good: nothing was proven.
    private Action whenUnknown(Set<String> categories) {
        Action fallback = onUnknown.getOrDefault(DEFAULT, Action.TAG);
        Action hardest = categories.isEmpty() ? fallback : Action.PASS;
        for (String category : categories) {
            Action action = onUnknown.getOrDefault(category, fallback);
            hardest = action.compareTo(hardest) > 0 ? action : hardest;
        }
        return hardest.compareTo(Action.DEFER) > 0 ? Action.DEFER : hardest;
    }

    private static Ruling soften(Ruling ruling, String recipient) {
        return exempt(recipient) && ruling.action().compareTo(Action.TAG) > 0
                ? new Ruling(Action.TAG, ruling.because(), ruling.reason() + ", recipient exempt")
                : ruling;
    }

    private static boolean exempt(String recipient) {
        return NEVER_REFUSED.contains(localPartOf(recipient).toLowerCase(Locale.ROOT));
    }

    private static String domainOf(String recipient) {
        return recipient.substring(recipient.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
    }

    private static String localPartOf(String recipient) {
        int at = recipient.lastIndexOf('@');
        return at < 0 ? recipient : recipient.substring(0, at);
    }
}
