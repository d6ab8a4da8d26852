package org.bloomgate.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.base.io.Token;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.decision.journal.DecisionQuery;
import org.bloomgate.decision.journal.DecisionQuery.By;
import org.bloomgate.decision.journal.JournalPosition;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.quarantine.QuarantineService;

/// `GET /v1/decisions`: messages found in the journal, newest first. For the role reader.
///
/// A request searches for at most [#WITHIN]; after that its answer has fewer decisions than requested, and a
/// cursor.
final class DecisionsResource implements Resource {

    private static final Duration WITHIN = Duration.ofMillis(150);
    private static final String TOKEN = "token";

    private static final Map<String, By> PARAMETERS = Map.of(
            "mailFrom", By.MAIL_FROM,
            "rcptTo", By.RCPT_TO,
            "client", By.CLIENT,
            "value", By.VALUE,
            "feed", By.FEED,
            "action", By.ACTION,
            "messageId", By.MESSAGE_ID,
            "newLink", By.NEW_LINK);

    private final DecisionJournal journal;
    private final QuarantineService quarantine;
    private final InstantSource clock;

    DecisionsResource(DecisionJournal journal, QuarantineService quarantine, InstantSource clock) {
        this.journal = journal;
        this.quarantine = quarantine;
        this.clock = clock;
    }

    /// @param inQuarantine tokens of the decisions whose message is in the quarantine now, so that it can be released
    /// @param nextCursor absent at the end of the search
    /// @param searchedBackTo all newer decisions were searched; absent if there is no decision
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record Decisions(
            List<Decision> decisions,
            List<String> inQuarantine,
            Optional<String> nextCursor,
            Optional<Instant> searchedBackTo) {}

    @Override
    public Answer answer(Request request) throws IOException {
        DecisionQuery query = query(request);
        Optional<JournalPosition> from = SearchParameters.position(request, JournalPosition::parse);
        DecisionJournal.SearchResult found = journal.find(query, from, WITHIN);
        boolean all = found.next().isEmpty() && query.since().isAfter(Instant.EPOCH);
        return Answer.json(new Decisions(
                found.decisions(),
                quarantine.tokensOf(found.decisions()),
                found.next().map(next -> SearchParameters.cursor(next.toString())),
                all ? Optional.of(query.since()) : found.back()));
    }

    private DecisionQuery query(Request request) {
        Map<By, String> texts = new EnumMap<>(By.class);
        PARAMETERS.forEach((name, by) -> SearchParameters.value(request, name).ifPresent(text -> texts.put(by, text)));
        SearchParameters.value(request, TOKEN)
                .ifPresent(text -> texts.put(
                        By.TOKEN,
                        Token.parse(text).orElseThrow(() -> SearchParameters.invalid(TOKEN, "12 letters and digits"))));
        int limit = SearchParameters.limit(request);
        Optional<Instant> day = SearchParameters.day(request);
        if (day.isPresent()) {
            Instant end = day.get().plus(1, ChronoUnit.DAYS);
            return new DecisionQuery(texts, day.get(), end, limit);
        }
        Instant since = texts.containsKey(By.TOKEN)
                ? SearchParameters.sinceOrEver(request, clock)
                : SearchParameters.since(request, clock);
        return new DecisionQuery(texts, since, SearchParameters.before(request, clock), limit);
    }
}
