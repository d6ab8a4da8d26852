package org.bloomgate.decision.journal;

import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.smtp.RefusedRecipient;
import org.bloomgate.decision.memory.HistoryFacts;

/// A query for decisions that contain every given text, without regard to case.
///
/// @param texts to find; a sender or recipient is a mailbox, or a domain with or without an `@` before it, or
///     `<>` for the null reverse-path; a value is the identifier, its host or the listed key
/// @param since decided then or later
/// @param before decided before; [Instant#MAX]: at any time
/// @param limit of decisions
public record DecisionQuery(Map<By, String> texts, Instant since, Instant before, int limit) {
    /// The text of [By#NEW_LINK] for a message with any new link.
    public static final String ANY = "any";

    /// The greatest limit.
    public static final int MAX_LIMIT = 100_000;

    public DecisionQuery {
        texts = Map.copyOf(texts);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit must be 1 to " + MAX_LIMIT);
        }
    }

    /// Decided since then.
    public static DecisionQuery since(Map<By, String> texts, Instant since, int limit) {
        return new DecisionQuery(texts, since, Instant.MAX, limit);
    }

    /// Returns a test for paths that a mailbox, a domain or `<>` in a query names.
    public static Predicate<String> ofAddress(String text) {
        String plain = By.MAIL_FROM.plain(text);
        return path -> By.isAddress(path, plain);
    }

    /// The criteria of a query.
    public enum By {
        MAIL_FROM,
        RCPT_TO,
        CLIENT,
        VALUE,
        FEED,
        ACTION,
        MESSAGE_ID,
        /// The newest link domain that was not known; [#ANY] for any.
        NEW_LINK,
        TOKEN;

        /// @param text as [#plain(String)] gives it
        private boolean isIn(Decision decision, String text) {
            return switch (this) {
                case MAIL_FROM -> isAddress(decision.envelope().mailFrom(), text);
                case RCPT_TO ->
                    Stream.concat(
                                    decision.envelope().recipients().stream(),
                                    decision.envelope().refused().stream()
                                            .map(refused ->
                                                    RefusedRecipient.of(refused).path()))
                            .anyMatch(path -> isAddress(path, text));
                case CLIENT -> decision.connection().client().equalsIgnoreCase(text);
                case VALUE -> decision.content().lookup().found().stream().anyMatch(found -> isValue(found, text));
                case FEED ->
                    decision.outcome().feed().equalsIgnoreCase(text)
                            || decision.outcome().would().keySet().stream().anyMatch(text::equalsIgnoreCase)
                            || decision.content().lookup().found().stream()
                                    .map(Decision.RecordedFinding::feed)
                                    .anyMatch(text::equalsIgnoreCase);
                case ACTION ->
                    decision.outcome().action().equalsIgnoreCase(text)
                            || decision.outcome().enforced().equalsIgnoreCase(text);
                case MESSAGE_ID ->
                    SearchTerm.bare(decision.content().heading().messageId()).equalsIgnoreCase(text);
                case NEW_LINK ->
                    decision.content()
                            .history()
                            .flatMap(HistoryFacts::link)
                            .filter(link -> text.isEmpty() || link.domain().equalsIgnoreCase(text))
                            .isPresent();
                case TOKEN -> decision.token().equals(text);
            };
        }

        /// The text in the form that decisions have.
        private String plain(String text) {
            return switch (this) {
                case MAIL_FROM, RCPT_TO -> text.equals("<>") ? "" : withoutAt(SearchTerm.bare(text));
                case MESSAGE_ID -> SearchTerm.bare(text);
                case NEW_LINK -> text.equals(ANY) ? "" : text.strip();
                case CLIENT, VALUE, FEED, ACTION, TOKEN -> text.strip();
            };
        }

        private static String withoutAt(String text) {
            return text.startsWith("@") ? text.substring(1) : text;
        }

        private static boolean isAddress(String path, String text) {
            return path.equalsIgnoreCase(text)
                    || (!text.isEmpty()
                            && text.indexOf('@') < 0
                            && MailAddress.domainOf(path).equals(MailAddress.domainOf(text)));
        }

        private static boolean isValue(Decision.RecordedFinding found, String text) {
            return found.value().equalsIgnoreCase(text)
                    || found.key().equalsIgnoreCase(text)
                    || SearchTerm.host(found.value()).equalsIgnoreCase(text);
        }
    }

    /// The texts as they are compared, so that they are made plain once for many decisions.
    DecisionQuery plain() {
        Map<By, String> plain = new EnumMap<>(By.class);
        texts.forEach((by, text) -> plain.put(by, by.plain(text)));
        return new DecisionQuery(plain, since, before, limit);
    }

    /// @return whether this decision is one, for a query that is [#plain()]
    boolean matches(Decision decision) {
        return !decision.time().isBefore(since)
                && decision.time().isBefore(before)
                && texts.entrySet().stream()
                        .allMatch(criterion -> criterion.getKey().isIn(decision, criterion.getValue()));
    }
}
