package org.bloomgate.server.api;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.Decision.Found;

/// A decision as the operator's page shows it: bounded in size whatever a sender put in, with or without the people in
/// it.
///
/// @param recipients the first of them; `recipientCount` says how many there are
/// @param feed whose listing decided, with its category; empty when none did
/// @param value the identifier that it speaks against
/// @param would what feeds on trial would have done, the first of them by name
/// @param why the first reasons; `whyCount` says how many there are
record DecisionView(
        Instant time,
        String token,
        String client,
        String helo,
        String mailFrom,
        List<String> recipients,
        int recipientCount,
        String messageId,
        String subject,
        String from,
        long sizeBytes,
        int keys,
        int suspects,
        String verdict,
        String action,
        String enforced,
        String feed,
        String category,
        String value,
        Map<String, String> would,
        String reply,
        String nextHopId,
        List<Why> why,
        int whyCount,
        List<String> limits,
        String snapshot,
        Map<String, Double> millis) {

    private static final int MAX_LISTED = 5;
    private static final int MAX_TEXT = 200;

    /// The personal data to show.
    enum Shown {
        MASKED,
        WHOLE
    }

    /// One identifier and what speaks against it, as in [Found].
    record Why(
            String kind,
            String value,
            String where,
            String verdict,
            String key,
            String feed,
            String category,
            String exception) {

        static Why of(Found found, Shown shown) {
            boolean whole = shown == Shown.WHOLE;
            return new Why(
                    found.kind(),
                    cut(whole ? found.value() : masked(found.kind(), found.value())),
                    cut(found.where()),
                    found.verdict(),
                    cut(whole ? found.key() : masked(found.kind(), found.key())),
                    cut(found.feed()),
                    cut(found.category()),
                    cut(whole ? found.exception() : MaskedText.of(found.exception())));
        }

        private static String masked(String kind, String value) {
            return switch (kind) {
                case "address" -> MaskedText.mailbox(value);
                case "url", "domain" -> MaskedText.url(value);
                default -> MaskedText.of(value);
            };
        }
    }

    static DecisionView of(Decision decision, Shown shown) {
        boolean whole = shown == Shown.WHOLE;
        return new DecisionView(
                decision.time(),
                decision.token(),
                cut(whole ? decision.client() : MaskedText.client(decision.client())),
                cut(whole ? decision.helo() : MaskedText.of(decision.helo())),
                cut(whole ? decision.mailFrom() : MaskedText.mailbox(decision.mailFrom())),
                decision.recipients().stream()
                        .limit(MAX_LISTED)
                        .map(to -> cut(whole ? to : MaskedText.mailbox(to)))
                        .toList(),
                decision.recipients().size(),
                cut(whole ? decision.messageId() : MaskedText.within(decision.messageId())),
                cut(whole ? decision.subject() : MaskedText.whole(decision.subject())),
                cut(whole ? decision.from() : MaskedText.within(decision.from())),
                decision.sizeBytes(),
                decision.keys(),
                decision.suspects(),
                decision.verdict(),
                decision.action(),
                decision.enforced(),
                cut(decision.feed()),
                cut(decision.category()),
                cut(whole ? decision.value() : value(decision)),
                would(decision.would()),
                cut(whole ? decision.reply() : MaskedText.of(decision.reply())),
                cut(decision.nextHopId()),
                decision.found().stream()
                        .limit(MAX_LISTED)
                        .map(found -> Why.of(found, shown))
                        .toList(),
                decision.found().size(),
                decision.limits(),
                decision.snapshot(),
                new TreeMap<>(decision.millis()));
    }

    /// Masked as the identifier it is.
    private static String value(Decision decision) {
        return decision.found().stream()
                .filter(found -> found.value().equals(decision.value()))
                .map(found -> Why.masked(found.kind(), found.value()))
                .findFirst()
                .orElseGet(() -> MaskedText.of(decision.value()));
    }

    private static Map<String, String> would(Map<String, String> whole) {
        Map<String, String> first = new TreeMap<>();
        new TreeMap<>(whole)
                .entrySet().stream().limit(MAX_LISTED).forEach(one -> first.put(cut(one.getKey()), one.getValue()));
        return first;
    }

    /// Never between the halves of a surrogate pair.
    private static String cut(String text) {
        if (text.length() <= MAX_TEXT) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(MAX_TEXT - 1)) ? MAX_TEXT - 1 : MAX_TEXT;
        return text.substring(0, end) + "…";
    }
}
