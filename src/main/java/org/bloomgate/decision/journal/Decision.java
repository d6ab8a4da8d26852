package org.bloomgate.decision.journal;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.Nulls;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.smtp.ReplyClass;
import org.bloomgate.decision.authentication.Authentication;
import org.bloomgate.decision.memory.HistoryFacts;
import org.bloomgate.lookup.tier.FilterHits;

/// One transaction in the journal. In JSON it is one object: the fields of its parts in the order of their
/// components, without the parts.
///
/// Each part cuts its own texts to the bounds of a line.
///
/// @param token that reply, log and journal share; the argument of `explain`
public record Decision(
        Instant time,
        String token,
        @JsonUnwrapped Connection connection,
        @JsonUnwrapped Envelope envelope,
        @JsonUnwrapped Content content,
        @JsonUnwrapped Outcome outcome,
        @JsonUnwrapped Processing processing) {

    /// Characters of one text in a line of the journal; longer ones are cut.
    public static final int MAX_TEXT = 512;

    public static final String NONE = "none";
    public static final String LOST = "lost";

    private static final Set<String> WITHOUT_TOKEN = Set.of("pass", NONE, LOST);

    /// Absent from JSON if empty; read as empty if absent.
    @JacksonAnnotationsInside
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonSetter(nulls = Nulls.AS_EMPTY)
    @Retention(RetentionPolicy.RUNTIME)
    private @interface AbsentIfEmpty {}

    /// True for clean mail that was passed, and for sessions that ended without a message: the client received
    /// no token.
    boolean unremarkable() {
        return outcome.verdict().equals("clean") && WITHOUT_TOKEN.contains(outcome.action());
    }

    /// The decision within the bounds.
    ///
    /// @param subjects whether the subject and the header From stay
    /// @param note added before the others; empty for none
    Decision cut(DecisionBounds bounds, boolean subjects, String note) {
        return new Decision(
                time,
                bounds.cut(token),
                connection.cut(bounds),
                envelope.cut(bounds),
                content.cut(bounds, subjects, note, this::isDecisive),
                outcome.cut(bounds),
                processing.cut(bounds));
    }

    private boolean isDecisive(RecordedFinding found) {
        return found.feed().equals(outcome.feed()) && found.value().equals(outcome.value());
    }

    /// The number of characters in all texts whose length a client or a publisher chooses.
    int characters() {
        return connection.helo().length()
                + envelope.characters()
                + content.characters()
                + outcome.value().length()
                + processing.characters();
    }

    private static int characters(List<String> texts) {
        return texts.stream().mapToInt(String::length).sum();
    }

    /// The connection over which the message came.
    ///
    /// @param client address of the SMTP client, or `http` for a message checked over HTTP
    /// @param tls protocol and cipher; empty without TLS
    public record Connection(String client, String helo, String tls) {
        private Connection cut(DecisionBounds bounds) {
            return new Connection(bounds.cutSender(client), bounds.cut(helo), bounds.cut(tls));
        }
    }

    /// @param mailFrom reverse-path as given, without brackets; empty for the null reverse-path
    /// @param recipients accepted, or rejected by policy
    /// @param refused other recipients, each with its reply
    public record Envelope(String mailFrom, List<String> recipients, List<String> refused) {
        public Envelope {
            recipients = List.copyOf(recipients);
            refused = List.copyOf(refused);
        }

        private Envelope cut(DecisionBounds bounds) {
            return new Envelope(
                    bounds.cutSender(mailFrom),
                    bounds.first(bounds.recipients(), recipients),
                    bounds.first(bounds.recipients(), refused));
        }

        private int characters() {
            return mailFrom.length() + Decision.characters(recipients) + Decision.characters(refused);
        }
    }

    /// The message, and what was found in it and in its envelope.
    ///
    /// @param notes further facts for a reader, a line each
    /// @param history what was new to the memory of the site
    public record Content(
            @JsonUnwrapped Heading heading,
            long sizeBytes,
            @JsonUnwrapped Lookup lookup,
            @AbsentIfEmpty List<String> notes,
            @AbsentIfEmpty Optional<HistoryFacts> history) {
        public Content {
            notes = List.copyOf(notes);
        }

        private Content cut(DecisionBounds bounds, boolean subjects, String note, Predicate<RecordedFinding> decisive) {
            return new Content(
                    heading.cut(bounds, subjects),
                    sizeBytes,
                    lookup.cut(bounds, decisive),
                    bounds.notes(note, notes),
                    history);
        }

        private int characters() {
            return heading.characters()
                    + lookup.characters()
                    + Decision.characters(notes)
                    + history.flatMap(HistoryFacts::link)
                            .map(link -> link.domain().length())
                            .orElse(0);
        }
    }

    /// Fields of the message's header, as far as it was read; the last two are also empty if the journal does not
    /// record them.
    public record Heading(
            @AbsentIfEmpty String messageId,
            @AbsentIfEmpty String subject,
            @AbsentIfEmpty String from) {
        private Heading cut(DecisionBounds bounds, boolean subjects) {
            return new Heading(
                    bounds.cut(messageId), subjects ? bounds.cut(subject) : "", subjects ? bounds.cut(from) : "");
        }

        private int characters() {
            return messageId.length() + subject.length() + from.length();
        }
    }

    /// @param found listed and unresolved identifiers
    /// @param limits names of the limits reached
    /// @param filters hits of the filters that had suspects
    public record Lookup(
            int keys,
            int suspects,
            List<RecordedFinding> found,
            List<String> limits,
            @AbsentIfEmpty List<FilterHits> filters) {
        public Lookup {
            found = List.copyOf(found);
            limits = List.copyOf(limits);
            filters = List.copyOf(filters);
        }

        /// Listed findings come before unresolved ones, and the decisive one comes first if some are left out.
        private Lookup cut(DecisionBounds bounds, Predicate<RecordedFinding> decisive) {
            Comparator<RecordedFinding> listedFirst =
                    Comparator.comparing(finding -> !finding.verdict().equals("listed"));
            Comparator<RecordedFinding> decisiveFirst = Comparator.comparing(finding -> !decisive.test(finding));
            return new Lookup(
                    keys,
                    suspects,
                    found.stream()
                            .sorted(
                                    found.size() > bounds.found()
                                            ? decisiveFirst.thenComparing(listedFirst)
                                            : listedFirst)
                            .limit(bounds.found())
                            .map(finding -> finding.cut(bounds))
                            .toList(),
                    limits.stream().limit(bounds.labels()).toList(),
                    filters.stream().limit(bounds.labels()).toList());
        }

        private int characters() {
            return found.stream().mapToInt(RecordedFinding::characters).sum();
        }
    }

    /// One identifier with a listing that applies to it.
    ///
    /// @param verdict `overridden` if an exception overrides the listing for all recipients
    /// @param keyKind kind of the key, if it is not that of the identifier
    /// @param feed and category are empty if the lookup failed
    /// @param firstSeen when the feed first contained the key, to the second; empty if the lookup failed
    /// @param exception as text, if one overrides the listing for all recipients or for those of a domain
    public record RecordedFinding(
            String kind,
            String value,
            String where,
            String verdict,
            String key,
            @AbsentIfEmpty String keyKind,
            String feed,
            String category,
            @AbsentIfEmpty Optional<Instant> firstSeen,
            @AbsentIfEmpty String exception) {
        /// The listed key; empty if it was truncated, or the lookup failed.
        public Optional<Key> listed() {
            return key.isEmpty() || key.length() >= MAX_TEXT
                    ? Optional.empty()
                    : KeyKind.ofLabel(keyKind.isEmpty() ? kind : keyKind).map(kindOfKey -> new Key(kindOfKey, key));
        }

        private RecordedFinding cut(DecisionBounds bounds) {
            return new RecordedFinding(
                    kind,
                    bounds.cut(value),
                    bounds.cut(where),
                    verdict,
                    bounds.cutKey(key),
                    keyKind,
                    bounds.cut(feed),
                    bounds.cut(category),
                    firstSeen,
                    bounds.cut(exception));
        }

        private int characters() {
            return value.length() + where.length() + key.length();
        }
    }

    /// The result of the policy.
    ///
    /// @param verdict `clean`, `listed` or `unresolved`
    /// @param action label of the action by policy; [#NONE] if the transaction ended without a message, [#LOST] if
    ///     the connection was lost during it
    /// @param enforced label of the action taken, which differs from the action in shadow mode
    /// @param feed whose listing decided; empty when none did
    /// @param category of that listing
    /// @param value the identifier that it applies to
    /// @param would label of the action that each feed in shadow mode would have caused, by the name of the feed
    public record Outcome(
            String verdict,
            String action,
            String enforced,
            @AbsentIfEmpty String feed,
            @AbsentIfEmpty String category,
            @AbsentIfEmpty String value,
            @AbsentIfEmpty Map<String, String> would) {
        public Outcome {
            would = Map.copyOf(would);
        }

        /// The labels of the actions that shadow mode prevented, by the feed that would have caused them; the feed
        /// is empty if none decided. Never `pass`.
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

        private Outcome cut(DecisionBounds bounds) {
            Map<String, String> firstFeeds = would.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .limit(bounds.found())
                    .collect(Collectors.toMap(
                            entry -> bounds.cut(entry.getKey()), Map.Entry::getValue, (first, _) -> first));
            return new Outcome(
                    verdict, action, enforced, bounds.cut(feed), bounds.cut(category), bounds.cut(value), firstFeeds);
        }
    }

    /// How the message was processed.
    ///
    /// @param reply to the message, or the last rejection before one; empty without either
    /// @param nextHopReply the last one of the transaction, empty if the next hop was not used
    /// @param nextHopId queue identifier of the next hop, or of the mail server of a milter; empty if unknown
    /// @param snapshot generation used, empty if there was none
    /// @param millis milliseconds by stage
    /// @param authentication of the sender; absent if it was not needed
    public record Processing(
            String reply,
            String nextHopReply,
            @AbsentIfEmpty String nextHopId,
            String snapshot,
            Map<String, Double> millis,
            @AbsentIfEmpty Optional<Authentication> authentication) {
        public Processing {
            millis = Map.copyOf(millis);
        }

        /// The negative reply to the message, of this gateway or the next hop; empty if it was accepted, or without
        /// a reply.
        public String negativeReply() {
            return ReplyClass.of(reply)
                            .filter(replyClass -> replyClass != ReplyClass.POSITIVE)
                            .isPresent()
                    ? reply
                    : "";
        }

        private Processing cut(DecisionBounds bounds) {
            return new Processing(
                    bounds.cut(reply),
                    bounds.cut(nextHopReply),
                    bounds.cut(nextHopId),
                    bounds.cut(snapshot),
                    millis,
                    authentication.map(bounds::cut));
        }

        private int characters() {
            return reply.length() + nextHopReply.length() + nextHopId.length();
        }
    }
}
