package org.bloomgate.policy;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.bloomgate.key.Place;

/// The `policy` section of the configuration.
///
/// @param listed what a listing does, by the place it was seen at; laid over what is shipped for each place
/// @param recipients by recipient domain, what overrides the above: one action for every place
/// @param onNoSnapshot while no snapshot was adopted, or the newest is too old; at most [Action#DEFER]
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
        Map<Place, Action> everywhere = shipped();
        everywhere.putAll(listed);
        listed = Map.copyOf(everywhere);
        if (onNoSnapshot.compareTo(Action.DEFER) > 0) {
            throw new IllegalArgumentException("policy.onNoSnapshot: at most defer, as nothing was proven");
        }
        recipients = recipients.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        rule -> rule.getKey().toLowerCase(Locale.ROOT), Map.Entry::getValue, (one, other) -> {
                            throw new IllegalArgumentException("recipients: a domain stands twice");
                        }));
        if (!subjectPrefix.matches("([!-~]([ -~]*[!-~])?)?") || subjectPrefix.length() > MAX_SUBJECT_PREFIX) {
            throw new IllegalArgumentException("subjectPrefix: write at most " + MAX_SUBJECT_PREFIX
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

    /// What a listing does at a place that the configuration does not name.
    private static Action shipped(Place place) {
        return switch (place) {
            case ENVELOPE, ORIGINATOR, LINK, TEXT, PDF, ATTACHMENT -> Action.REJECT;
            case SCHEMELESS, RAW, MESSAGE_ID, DKIM, CONTENT -> Action.TAG;
        };
    }

    private static Map<Place, Action> shipped() {
        Map<Place, Action> actions = new EnumMap<>(Place.class);
        for (Place place : Place.values()) {
            actions.put(place, shipped(place));
        }
        return actions;
    }

    /// What a listing does at this place.
    Action onListed(Place place) {
        Action configured = listed.get(place);
        return configured == null ? shipped(place) : configured;
    }

    public static PolicyOptions defaults() {
        return new PolicyOptions(shipped(), Map.of(), Action.TAG, Action.TAG, DifferingRecipients.DEFER, "", false);
    }
}
