package org.bloomgate.server.api;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.bloomgate.base.io.IoText;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.decision.journal.DecisionQuery;
import org.bloomgate.decision.journal.DecisionQuery.By;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.HttpOptions;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Role;
import org.bloomgate.server.http.Route;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `GET /v1/decisions?mailFrom=&rcptTo=&client=&value=&feed=&action=&messageId=&since=&limit=`: messages found
/// in the journal, newest first. For the role reader.
final class DecisionsResource implements Resource {
    private static final Logger LOG = LoggerFactory.getLogger(DecisionsResource.class);

    private static final Map<String, By> PARAMETERS = Map.of(
            "mailFrom", By.MAIL_FROM,
            "rcptTo", By.RCPT_TO,
            "client", By.CLIENT,
            "value", By.VALUE,
            "feed", By.FEED,
            "action", By.ACTION,
            "messageId", By.MESSAGE_ID);

    private final DecisionJournal journal;
    private final Duration timeout;
    private final InstantSource clock;

    DecisionsResource(DecisionJournal journal, HttpOptions options, InstantSource clock) {
        this.journal = journal;
        this.timeout = options.requestTimeout();
        this.clock = clock;
    }

    /// @param complete false when the time was up before all was looked through: ask for less
    record Decisions(List<Decision> decisions, boolean complete) {}

    @Override
    public Route route() {
        return Route.get("/v1/decisions", Role.READER)
                .with(
                        "mailFrom",
                        "rcptTo",
                        "client",
                        "value",
                        "feed",
                        "action",
                        "messageId",
                        LookedBack.SINCE,
                        LookedBack.LIMIT);
    }

    @Override
    public Answer answer(Request request) {
        DecisionQuery query = query(request);
        try {
            DecisionJournal.Found found = journal.find(query, timeout);
            return Answer.json(new Decisions(found.decisions(), found.complete()));
        } catch (IOException fault) {
            LOG.error("/v1/decisions: {}", IoText.describe(fault));
            throw new ProblemException(
                    Problem.unavailable("the journal could not be read; the fault is in the log of the server"));
        }
    }

    private DecisionQuery query(Request request) {
        Map<By, String> texts = new EnumMap<>(By.class);
        PARAMETERS.forEach((name, by) ->
                request.query(name).filter(text -> !text.isBlank()).ifPresent(text -> texts.put(by, text)));
        return new DecisionQuery(texts, LookedBack.since(request, clock), LookedBack.limit(request));
    }
}
