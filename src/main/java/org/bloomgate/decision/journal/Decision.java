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
import org.bloomgate.lookup.lookup.FilterHits;

/// One transaction as the journal keeps it: who, what was found, what was done, what was answered.
///
/// @param token what reply, log and journal share; `explain` takes it
/// @param client address of the SMTP client, or `http` for a message checked over HTTP
/// @param tls protocol and cipher, empty in the clear
/// @param mailFrom reverse-path as given, without brackets; empty for the null reverse-path
/// @param recipients accepted, or refused by policy
/// @param refused other recipients, each with the reply it got
/// @param messageId, subject and from are fields of the message's header, as far as it was read; the two last are
///     empty too where they are not kept
/// @param found listed and unresolved identifiers
/// @param limits names of the limits reached
/// @param filters those that had suspects
/// @param notes what else there is to know for a reader, a line each
/// @param verdict `clean`, `listed` or `unresolved`
/// @param action word of what the policy says; [#NONE] when the transaction ended without a message, [#LOST] when the
///     client was lost inside it
/// @param enforced word of what was done, which differs from the action in shadow mode
/// @param feed whose listing decided; empty when none did
/// @param category of that listing
/// @param value the identifier that it speaks against
/// @param would word of what each feed on trial would have done, by the name of the feed
/// @param reply what the client was answered to its message, or the last refusal before one; empty without either
/// @param nextHopReply the last one of the transaction, empty if the next hop was not used
/// @param nextHopId what the next hop, or the mail server of a milter, calls the message; empty when it did not say
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

    private static final Set<String> UNTOLD = Set.of("pass", NONE, LOST);

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
        return verdict.equals("clean") && UNTOLD.contains(action);
    }

    /// The reply that refused the message, by this gateway or the next hop; empty if it was accepted, or there
    /// was no reply.
    public String negativeReply() {
        return ReplyClass.of(reply).filter(said -> said != ReplyClass.POSITIVE).isPresent() ? reply : "";
    }

    /// The word of what would have been done, by the feed that would have had it done, were it not for shadow mode or
    /// its trial; the feed is empty where a policy decided. Never `pass`.
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

    /// One identifier with the listing that speaks against it.
    ///
    /// @param verdict `overridden` when an exception keeps the listing from counting for all recipients
    /// @param keyKind kind of the key, if it is not that of the identifier
    /// @param feed and category are empty if the lookup failed
    /// @param firstSeen when the feed first held the key, to the second; empty if the lookup failed
    /// @param exception in words, when one overrides the listing for all recipients or for those of a domain
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
