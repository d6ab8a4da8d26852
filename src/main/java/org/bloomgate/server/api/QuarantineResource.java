package org.bloomgate.server.api;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import org.bloomgate.base.io.IoText;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Role;
import org.bloomgate.server.http.Route;
import org.bloomgate.server.quarantine.QuarantineService;
import org.bloomgate.server.quarantine.QuarantineSummary;
import org.bloomgate.server.quarantine.QuarantinedMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `GET /v1/quarantine`: what is kept back, the newest first, by its envelopes. For the role reader.
final class QuarantineResource implements Resource {
    private static final Logger LOG = LoggerFactory.getLogger(QuarantineResource.class);

    /// More are counted and not shown.
    static final int MAX_MESSAGES = 1_000;

    private final QuarantineService quarantineService;

    QuarantineResource(QuarantineService quarantineService) {
        this.quarantineService = quarantineService;
    }

    /// @param count of all that are kept
    record Kept(List<QuarantineSummary> messages, int count) {}

    @Override
    public Route route() {
        return Route.get("/v1/quarantine", Role.READER).with();
    }

    @Override
    public Answer answer(Request request) {
        try {
            List<QuarantinedMessage> all = quarantineService.kept().list();
            return Answer.json(new Kept(
                    all.stream()
                            .sorted(Comparator.comparing(QuarantinedMessage::time)
                                    .reversed())
                            .limit(MAX_MESSAGES)
                            .map(QuarantineSummary::of)
                            .toList(),
                    all.size()));
        } catch (IOException fault) {
            throw unreadable(LOG, fault);
        }
    }

    static ProblemException unreadable(Logger log, IOException fault) {
        log.error("/v1/quarantine: {}", IoText.describe(fault));
        return new ProblemException(
                Problem.unavailable("the quarantine could not be used; the fault is in the log of the server"));
    }
}
