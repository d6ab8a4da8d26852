package org.bloomgate.decision.reports;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.Token;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.decision.authentication.DkimHeader;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.decision.journal.DecisionQuery;
import org.bloomgate.decision.journal.DecisionQuery.By;
import org.bloomgate.decision.keyjournal.KeyJournalOptions;
import org.bloomgate.decision.keyjournal.MailKeys;
import org.bloomgate.decision.keyjournal.RecentMail;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds the decision about a reported message: by the token in a field of this gateway, otherwise in the key journal,
/// by its Message-ID or its keys. It counts only if the reporter is among its recipients, because a sender chooses a
/// Message-ID. After a fault of a journal the message is not found. Thread-safe.
///
/// @param hostname of the gateway in its Received fields
public record Originals(DecisionJournal journal, KeyJournalOptions keys, String hostname, InstantSource clock) {
    /// The time of all searches for one report.
    static final Duration REPORT_TIMEOUT = Duration.ofSeconds(4);

    /// The time of each search.
    static final Duration SEARCH_TIMEOUT = Duration.ofSeconds(2);

    /// How far the time of a decision may be from that of our field or of a record of keys.
    private static final Duration AROUND = Duration.ofMinutes(10);

    private static final int MAX_CANDIDATES = 10_000;
    private static final int MAX_DECISIONS = 1000;

    /// Candidates whose decisions are searched for one by one, before all decisions about mail to the reporter.
    static final int MAX_SINGLE = 5;

    private static final Logger LOG = LoggerFactory.getLogger(Originals.class);

    /// @param keys of the reported keys, those that the message contained when it was delivered; empty if unknown
    record Original(Decision decision, Set<Key> keys) {}

    private record Candidate(String token, Instant delivered, Set<Key> keys) {}

    /// @param minKeys keys that a message must have to be found by keys alone, as any message to the reporter shares
    ///     some
    /// @param reporter canonical address; if it is empty, nothing is found
    /// @param end of the searches, by [#REPORT_TIMEOUT]
    Optional<Original> find(DkimHeader header, Collection<Key> reported, int minKeys, String reporter, Instant end) {
        if (reporter.isEmpty()) {
            return Optional.empty();
        }
        Optional<Key> messageId = header.fields("message-id").stream()
                .findFirst()
                .flatMap(field -> MailKeys.keyOfMessageId(field.value()));
        Set<Key> sought = new HashSet<>(reported);
        messageId.ifPresent(sought::add);
        try {
            Optional<Decision> decision = findByToken(header, reporter, end);
            if (decision.isPresent()) {
                Instant time = decision.get().time();
                return findCandidates(sought, time.minus(AROUND), time.plus(AROUND), end).stream()
                        .filter(one -> one.token().equals(decision.get().token()))
                        .findFirst()
                        .map(one -> new Original(decision.get(), one.keys()))
                        .or(() -> Optional.of(new Original(decision.get(), Set.of())));
            }
            List<Candidate> best = findCandidates(sought, Instant.EPOCH, Instant.MAX, end).stream()
                    .filter(one -> one.keys().size() >= minKeys
                            || messageId.filter(one.keys()::contains).isPresent())
                    .sorted(Comparator.comparing((Candidate one) ->
                                    messageId.filter(one.keys()::contains).isPresent())
                            .thenComparingInt(one -> one.keys().size())
                            .thenComparing(Candidate::delivered)
                            .reversed())
                    .toList();
            for (Candidate one : best.subList(0, Math.min(best.size(), MAX_SINGLE))) {
                Optional<Decision> known = findDecisions(one.token(), List.of(one.delivered()), reporter, end)
                        .findFirst();
                if (known.isPresent()) {
                    return Optional.of(new Original(known.get(), one.keys()));
                }
            }
            if (best.size() > MAX_SINGLE) {
                List<Instant> times =
                        best.stream().map(Candidate::delivered).sorted().toList();
                List<Decision> known = findDecisions("", times, reporter, end).toList();
                return best.stream()
                        .flatMap(one -> known.stream()
                                .filter(of -> of.token().equals(one.token()))
                                .map(of -> new Original(of, one.keys())))
                        .findFirst();
            }
        } catch (IOException e) {
            LOG.warn("reports: original of a reported message not found: {}", IoText.describe(e));
        }
        return Optional.empty();
    }

    private Optional<Decision> findByToken(DkimHeader header, String reporter, Instant end) throws IOException {
        Optional<Instant> date = Optional.empty();
        Optional<String> token = header.fields("x-bloomgate-token").stream()
                .flatMap(field -> Token.parse(field.value().strip()).stream())
                .findFirst();
        for (DkimHeader.Field field : header.fields("received")) {
            String value = field.value().replace("\r\n", "").replace('\t', ' ');
            date = date.or(() -> parseDate(value.substring(value.lastIndexOf(';') + 1)));
            int tokenAt =
                    value.contains(" by " + hostname + ' ') ? value.indexOf(" id ") + " id ".length() : value.length();
            token = token.or(() -> tokenAt + Token.LENGTH > value.length()
                    ? Optional.empty()
                    : Token.parse(value.substring(tokenAt, tokenAt + Token.LENGTH)));
        }
        return token.isPresent()
                ? findDecisions(token.get(), List.of(date.orElseGet(clock::instant)), reporter, end)
                        .findFirst()
                : Optional.empty();
    }

    static Optional<Instant> parseDate(String text) {
        try {
            String date = text.substring(0, TextScan.next(text, 0, c -> c == '('));
            return Optional.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date.strip())));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    /// Decisions of these times, in order, about mail to the reporter; of any message if the token is empty.
    private Stream<Decision> findDecisions(String token, List<Instant> times, String reporter, Instant end)
            throws IOException {
        DecisionQuery query = new DecisionQuery(
                token.isEmpty() ? Map.of(By.RCPT_TO, reporter) : Map.of(By.TOKEN, token, By.RCPT_TO, reporter),
                times.getFirst().minus(AROUND),
                times.getLast().plus(AROUND),
                token.isEmpty() ? MAX_DECISIONS : 1);
        return journal.find(query, Optional.empty(), timeUntil(end)).decisions().stream()
                .filter(decision -> decision.envelope().recipients().stream().anyMatch(reporter::equalsIgnoreCase));
    }

    private Duration timeUntil(Instant end) {
        Duration left = Duration.between(clock.instant(), end);
        return left.compareTo(SEARCH_TIMEOUT) < 0 ? left : SEARCH_TIMEOUT;
    }

    /// The delivered messages that contain a key, of the newest hours that can be read in time.
    private Collection<Candidate> findCandidates(Set<Key> sought, Instant since, Instant until, Instant end)
            throws IOException {
        Map<String, Candidate> candidates = new HashMap<>();
        RecentMail<Key> mail = RecentMail.since(since, keys);
        for (Key key : sought) {
            mail.noteAnywhere(key, Match.SUFFIX, () -> key);
        }
        mail.forEachNewestFirst(until, timeUntil(end), (token, delivered, _, found) -> {
            if (candidates.size() < MAX_CANDIDATES) {
                candidates.put(token, new Candidate(token, delivered, new HashSet<>(found)));
            }
        });
        return candidates.values();
    }
}
