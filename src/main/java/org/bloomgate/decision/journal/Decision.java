package org.bloomgate.decision.journal;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.smtp.ReplyClass;
import org.bloomgate.decision.authentication.Authentication;
import org.bloomgate.lookup.tier.FilterHits;

/// One transaction in the journal: client and envelope, findings, decision and replies.
///
/// @param token that reply, log and journal share; the argument of `explain`
/// @param client address of the SMTP client, or `http` for a message checked over HTTP
/// @param tls protocol and cipher; empty without TLS
/// @param mailFrom reverse-path as given, without brackets; empty for the null reverse-path
/// @param recipients accepted, or rejected by policy
/// @param refused other recipients, each with its reply
/// @param messageId, subject and from are fields of the message's header, as far as it was read; the last two are
///     also empty if the journal does not record them
/// @param found listed and unresolved identifiers
/// @param limits names of the limits reached
/// @param filters hits of the filters that had suspects
/// @param notes further facts for a reader, a line each
/// @param verdict `clean`, `listed` or `unresolved`
/// @param action label of the action by policy; [#NONE] if the transaction ended without a message, [#LOST] if the
///     connection was lost during it
/// @param enforced label of the action taken, which differs from the action in shadow mode
/// @param feed whose listing decided; empty when none did
/// @param category of that listing
/// @param value the identifier that it applies to
/// @param would label of the action that each feed in shadow mode would have caused, by the name of the feed
/// @param reply to the message, or the last rejection before one; empty without either
/// @param nextHopReply the last one of the transaction, empty if the next hop was not used
/// @param nextHopId queue identifier of the next hop, or of the mail server of a milter; empty if unknown
/// @param snapshot generation used, empty if there was none
/// @param millis milliseconds by stage
/// @param authentication of the sender; absent if it was not needed
public record Decision(
        Instant time,
        String token,
        String client,
        String helo,
        String tls,
        String mailFrom,
        List<String> recipients,
        List<String> refused,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        String messageId,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        String subject,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        String from,

        long sizeBytes,
        int keys,
        int suspects,
        List<Found> found,
        List<String> limits,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        List<FilterHits> filters,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        List<String> notes,

        String verdict,
        String action,
        String enforced,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        String feed,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        String category,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        String value,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        Map<String, String> would,

        String reply,
        String nextHopReply,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        String nextHopId,

        String snapshot,
        Map<String, Double> millis,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        Optional<Authentication> authentication) {

    /// Characters of one text in a line of the journal; longer ones are cut.
    public static final int MAX_TEXT = 512;

    public static final String NONE = "none";
    public static final String LOST = "lost";

    private static final Set<String> WITHOUT_TOKEN = Set.of("pass", NONE, LOST);

    public Decision {
        recipients = List.copyOf(recipients);
        refused = List.copyOf(refused);
        found = List.copyOf(found);
        limits = List.copyOf(limits);
        filters = List.copyOf(filters);
        notes = List.copyOf(notes);
        would = Map.copyOf(would);
        millis = Map.copyOf(millis);
    }

    /// True for clean mail that was passed, and for sessions that ended without a message: the client received
    /// no token.
    boolean unremarkable() {
        return verdict.equals("clean") && WITHOUT_TOKEN.contains(action);
    }

    /// The negative reply to the message, of this gateway or the next hop; empty if it was accepted, or without a
    /// reply.
    public String negativeReply() {
        return ReplyClass.of(reply)
                        .filter(replyClass -> replyClass != ReplyClass.POSITIVE)
                        .isPresent()
                ? reply
                : "";
    }

    /// The labels of the actions that shadow mode prevented, by the feed that would have caused them; the feed is empty
    /// if none decided. Never `pass`.
    public Map<String, String> shadowed() {
        if (action.equals(enforced) && would.isEmpty()) {
            return Map.of();
        }
        Map<String, String> shadowed = new TreeMap<>(would);
        shadowed.values().removeIf("pass"::equals);
        if (!action.equals(enforced)) {
            shadowed.put(feed, action);
        }
        return shadowed;
    }

    /// One identifier with a listing that applies to it.
    ///
    /// @param verdict `overridden` if an exception overrides the listing for all recipients
    /// @param keyKind kind of the key, if it is not that of the identifier
    /// @param feed and category are empty if the lookup failed
    /// @param firstSeen when the feed first contained the key, to the second; empty if the lookup failed
    /// @param exception as text, if one overrides the listing for all recipients or for those of a domain
    public record Found(
            String kind,
            String value,
            String where,
            String verdict,
            String key,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
            String keyKind,

            String feed,
            String category,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
            Optional<Instant> firstSeen,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
            String exception) {
        /// The listed key; empty if it was truncated, or the lookup failed.
        public Optional<Key> listed() {
            return key.isEmpty() || key.length() >= MAX_TEXT
                    ? Optional.empty()
                    : KeyKind.ofLabel(keyKind.isEmpty() ? kind : keyKind).map(kindOfKey -> new Key(kindOfKey, key));
        }
    }
}
