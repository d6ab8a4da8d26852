package org.bloomgate.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.bloomgate.decision.journal.DecisionQuery;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Role;
import org.bloomgate.server.http.Route;
import org.bloomgate.server.quarantine.QuarantineIndex;
import org.bloomgate.server.quarantine.QuarantineService;
import org.bloomgate.server.quarantine.QuarantineSummary;

/// `GET /v1/quarantine`: what is kept back, the newest first, by its envelopes. For the role reader.
final class QuarantineResource implements Resource {

    /// For new envelopes. Those that are not read within it are counted as unread.
    private static final Duration WITHIN = Duration.ofMillis(100);

    private static final String SENDER = "sender";
    private static final String RECIPIENT = "recipient";
    private static final String FEED = "feed";

    private final QuarantineService quarantineService;
    private final InstantSource clock;

    QuarantineResource(QuarantineService quarantineService, InstantSource clock) {
        this.quarantineService = quarantineService;
        this.clock = clock;
    }

    /// @param total messages on disk
    /// @param totalBytes of those in memory
    /// @param matching messages in memory that are asked for, on all pages
    /// @param leftOut the oldest messages, for which the index has no memory
    /// @param unread messages whose envelope is not read yet
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record Kept(
            List<QuarantineSummary> messages,
            int total,
            long totalBytes,
            int matching,
            long matchingBytes,
            int leftOut,
            int unread,
            Optional<String> nextCursor) {}

    @Override
    public Route route() {
        return Route.get("/v1/quarantine", Role.READER)
                .with(LookedBack.SINCE, LookedBack.BEFORE, SENDER, RECIPIENT, FEED, LookedBack.LIMIT, Cursor.NAME);
    }

    @Override
    public Answer answer(Request request) throws IOException {
        Predicate<QuarantineSummary> wanted = wanted(request);
        QuarantineIndex.Found found = quarantineService.index().find(wanted, WITHIN);
        Page<QuarantineSummary> page = Page.byTime(request, found.messages(), QuarantineSummary::time);
        return Answer.json(new Kept(
                quarantineService.index().current(page.records()),
                found.total(),
                found.totalBytes(),
                found.messages().size(),
                found.messages().stream()
                        .mapToLong(QuarantineSummary::sizeBytes)
                        .sum(),
                found.leftOut(),
                found.unread(),
                page.nextCursor()));
    }

    private Predicate<QuarantineSummary> wanted(Request request) {
        Instant since = LookedBack.sinceOrEver(request, clock);
        Instant before = LookedBack.before(request, clock);
        Optional<Predicate<String>> sender = LookedBack.given(request, SENDER).map(DecisionQuery::ofAddress);
        Optional<Predicate<String>> recipient =
                LookedBack.given(request, RECIPIENT).map(DecisionQuery::ofAddress);
        Optional<String> feed = LookedBack.given(request, FEED);
        return one -> !one.time().isBefore(since)
                && one.time().isBefore(before)
                && sender.filter(of -> !of.test(one.mailFrom())).isEmpty()
                && recipient
                        .filter(of -> one.recipients().stream().noneMatch(of))
                        .isEmpty()
                && feed.filter(of -> !of.equalsIgnoreCase(one.feed())).isEmpty();
    }
}
