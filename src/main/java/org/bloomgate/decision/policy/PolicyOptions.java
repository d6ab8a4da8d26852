package org.bloomgate.decision.policy;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.bloomgate.base.config.ScalarOrMap;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.lookup.tier.Action;

/// The `policy` section of the configuration.
///
/// @param listed what a listing does, by the place it was seen at; laid over what is shipped for each place
/// @param categories the hardest that a listing does, by the category of its feed; `default` for any other.
/// Laid over
///     what is shipped
/// @param recipients what is done otherwise with mail to a mailbox, a domain or all domains below one
/// @param senders the same by reverse-path; where both speak, the recipient's holds
/// @param onNoSnapshot while no snapshot was adopted, or the newest is too old; at most [Action#DEFER]
/// @param onPartial for a message that is not fully inspected, by the limit that was reached
/// @param subjectPrefix put before the subject of a message that is tagged because of a category that may
/// refuse;
///     printable ASCII of at most [#MAX_SUBJECT_PREFIX] characters, empty to leave subjects alone
/// @param replyText text of the reply to a refused client
/// @param helo what the client's name does by itself
/// @param newRecipients how many addresses that are new to the site one of its users may write to
/// @param signals what is done about what is new to the memory; never more than [Action#DEFER]
/// @param shadow true evaluates and logs every message and enforces nothing
public record PolicyOptions(
        @ScalarOrMap Map<Place, Action> listed,
        Map<String, Action> categories,
        Map<MailboxPattern, PolicyOverrides> recipients,
        Map<MailboxPattern, PolicyOverrides> senders,
        Action onNoSnapshot,
        @ScalarOrMap Map<Limit, Action> onPartial,
        String subjectPrefix,
        ReplyText replyText,
        boolean shadow,
        Helo helo,
        NewRecipientLimits newRecipients,
        Map<Signal, Action> signals) {

    /// Actions for the name in HELO or EHLO, without any list. RFC 5321 4.1.4 forbids refusing a client because
    /// its name does not resolve to its address: that is not checked.
    ///
    /// @param ownName a client that uses the name or the address of this host
    /// @param syntax neither a domain nor an address literal
    public record Helo(Action ownName, Action syntax) {
        static Helo defaults() {
            return new Helo(Action.TAG, Action.TAG);
        }
    }

    /// The key for everything that is not named in the map.
    static final String DEFAULT = "default";

    /// Leaves most of the line for the subject.
    static final int MAX_SUBJECT_PREFIX = 100;

    private static final Map<String, Action> CATEGORIES = Map.ofEntries(
            Map.entry("disposable", Action.TAG),
            Map.entry("typo", Action.TAG),
            Map.entry("adult", Action.TAG),
            Map.entry("gambling", Action.TAG),
            Map.entry("piracy", Action.TAG),
            Map.entry("abused", Action.TAG),
            Map.entry("scanner", Action.TAG),
            Map.entry("bruteforce", Action.TAG),
            Map.entry("anonymizer", Action.TAG),
            Map.entry("fresh", Action.TAG),
            Map.entry("grey", Action.TAG),
            Map.entry("red", Action.TAG),
            Map.entry("suspicious", Action.TAG),
            Map.entry("dynamic", Action.REJECT),
            Map.entry("tracking", Action.PASS),
            Map.entry("advertising", Action.PASS),
            Map.entry(DEFAULT, Action.REJECT));

    private static final Map<Signal, Action> SIGNALS =
            Map.of(Signal.NEW_LINK, Action.PASS, Signal.NEW_LINK_OF_STRANGER, Action.PASS);

    private static final Map<Limit, Action> ON_PARTIAL = Map.of(
            Limit.DEFAULT,
            Action.TAG,
            Limit.ENCRYPTED,
            Action.PASS,
            Limit.PICTURES,
            Action.PASS,
            Limit.PICTURE_BYTES,
            Action.PASS,
            Limit.PICTURE_PIXELS,
            Action.PASS,
            Limit.PICTURE_FORMAT,
            Action.PASS,
            Limit.QR_MARKS,
            Action.PASS,
            Limit.TIME,
            Action.DEFER);

    public PolicyOptions {
        Map<Place, Action> everywhere = shipped();
        everywhere.putAll(listed);
        listed = Map.copyOf(everywhere);
        categories = Map.copyOf(PolicyOverrides.over(CATEGORIES, categories));
        categories.forEach((category, cap) -> Action.checkCap("categories." + category, cap));
        onPartial = Map.copyOf(PolicyOverrides.over(ON_PARTIAL, onPartial));
        recipients = Map.copyOf(recipients);
        senders = Map.copyOf(senders);
        requireNoRefusal("onNoSnapshot", onNoSnapshot);
        newRecipients = NewRecipientLimits.SHIPPED.overriddenBy(newRecipients);
        signals = Map.copyOf(PolicyOverrides.over(SIGNALS, signals));
        signals.forEach((signal, action) -> requireNoRefusal("signals." + signal.label(), action));
        if (!TextScan.consistsOf(subjectPrefix, TextScan::isPrintable, 0, MAX_SUBJECT_PREFIX)
                || !subjectPrefix.strip().equals(subjectPrefix)) {
            throw new IllegalArgumentException("subjectPrefix: write at most " + MAX_SUBJECT_PREFIX
                    + " printable ASCII characters without a blank at either end");
        }
    }

    /// Rules that change nothing, as a slip of the pen makes them.
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        empty("recipients", recipients, problems);
        empty("senders", senders, problems);
        recipients.forEach((whose, rule) -> {
            if (rule.authenticated().isPresent()) {
                problems.add("recipients." + whose + ".authenticated: only a rule of policy.senders has it");
            }
        });
        return problems;
    }

    private static void empty(String key, Map<MailboxPattern, PolicyOverrides> rules, List<String> problems) {
        rules.forEach((whose, rule) -> {
            if (rule.equals(PolicyOverrides.defaults())) {
                problems.add(key + "." + whose + ": empty override; set at least one action");
            }
        });
    }

    static void requireNoRefusal(String key, Action action) {
        if (action.compareTo(Action.DEFER) > 0) {
            throw new IllegalArgumentException(key + ": at most defer, as nothing was proven");
        }
    }

    /// The action at a place that the configuration does not name.
    private static Action shipped(Place place) {
        return switch (place) {
            case CLIENT, HELO, ENVELOPE, ORIGINATOR, LINK, TEXT, PDF, QR, ATTACHMENT, SCRIPT_ATTACHMENT ->
                Action.REJECT;
            case RECEIVED, SCHEMELESS, SCRIPT, RAW, PHONE, MESSAGE_ID, DKIM, CONTENT -> Action.TAG;
            case UNKNOWN_TARGET -> Action.PASS;
        };
    }

    private static Map<Place, Action> shipped() {
        Map<Place, Action> actions = new EnumMap<>(Place.class);
        for (Place place : Place.values()) {
            actions.put(place, shipped(place));
        }
        return actions;
    }

    public static PolicyOptions defaults() {
        return new PolicyOptions(
                shipped(),
                CATEGORIES,
                Map.of(),
                Map.of(),
                Action.TAG,
                ON_PARTIAL,
                "",
                ReplyText.SHIPPED,
                false,
                Helo.defaults(),
                NewRecipientLimits.SHIPPED,
                SIGNALS);
    }
}
