package org.bloomgate.policy;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.bloomgate.key.Place;

/// The `policy` section of the configuration.
///
/// @param listed what a listing does, by the place it was seen at
/// @param recipients by recipient domain, what overrides the above: one action for every place
/// @param onNoSnapshot while no snapshot was adopted
/// @param onPartial for a message that is not fully inspected because a limit was reached
/// @param differingRecipients for one message whose recipients have different rules
/// @param subjectPrefix put before the subject of a message that is tagged; printable ASCII of at most
///     [#MAX_SUBJECT_PREFIX] characters, empty to leave subjects alone
/// @param shadow true judges and logs every message and enforces nothing
public record PolicyOptions(
        Map<Place, Action> listed,
        Map<String, RecipientRule> recipients,
        Action onNoSnapshot,
        Action onPartial,
        DifferingRecipients differingRecipients,
        String subjectPrefix,
        boolean shadow) {

    /// Leaves most of the line for the subject.
    static final int MAX_SUBJECT_PREFIX = 100;

    /// What a recipient domain wants instead of the general rule.
    public record RecipientRule(Action listed) {
        public static RecipientRule defaults() {
            return new RecipientRule(Action.TAG);
        }
    }

    public PolicyOptions {
        listed = Map.copyOf(listed);
        recipients = recipients.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        rule -> rule.getKey().toLowerCase(Locale.ROOT), Map.Entry::getValue, (one, other) -> {
                            throw new IllegalArgumentException("policy.recipients: a domain stands twice");
                        }));
        if (!subjectPrefix.matches("([!-~]([ -~]*[!-~])?)?") || subjectPrefix.length() > MAX_SUBJECT_PREFIX) {
            throw new IllegalArgumentException("policy.subjectPrefix: write at most " + MAX_SUBJECT_PREFIX
                    + " printable ASCII characters without a blank at either end");
        }
    }

    PolicyOptions overriddenBy(PolicyOverrides own) {
        return new PolicyOptions(
                PolicyOverrides.over(listed, own.listed()),
                recipients,
                own.onNoSnapshot().orElse(onNoSnapshot),
                own.onPartial().orElse(onPartial),
                differingRecipients,
                subjectPrefix,
                shadow);
    }

    public static PolicyOptions defaults() {
        return new PolicyOptions(
                Map.ofEntries(
                        Map.entry(Place.ENVELOPE, Action.REJECT),
                        Map.entry(Place.ORIGINATOR, Action.REJECT),
                        Map.entry(Place.LINK, Action.REJECT),
                        Map.entry(Place.TEXT, Action.REJECT),
                        Map.entry(Place.PDF, Action.REJECT),
                        Map.entry(Place.ATTACHMENT, Action.REJECT),
                        Map.entry(Place.SCHEMELESS, Action.TAG),
                        Map.entry(Place.RAW, Action.TAG),
                        Map.entry(Place.MESSAGE_ID, Action.TAG),
                        Map.entry(Place.DKIM, Action.TAG),
                        Map.entry(Place.CONTENT, Action.TAG)),
                Map.of(),
                Action.TAG,
                Action.TAG,
                DifferingRecipients.DEFER,
                "",
                false);
    }
}
