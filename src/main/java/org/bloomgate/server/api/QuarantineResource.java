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
import org.bloomgate.server.quarantine.QuarantineIndex;
import org.bloomgate.server.quarantine.QuarantineService;
import org.bloomgate.server.quarantine.QuarantineSummary;

/// `GET /v1/quarantine`: the quarantined messages, newest first. For the role reader.
final class QuarantineResource implements Resource {

    /// The time for reading new envelopes; those not read in time count as unread.
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
    /// @param matching messages in memory that match the request, on all pages
    /// @param leftOut the oldest messages, for which the index has no memory
    /// @param unread messages whose envelope is not read yet
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record Messages(
            List<QuarantineSummary> messages,
            int total,
            long totalBytes,
            int matching,
            long matchingBytes,
            int leftOut,
            int unread,
            Optional<String> nextCursor) {}

    @Override
    public Answer answer(Request request) throws IOException {
        Predicate<QuarantineSummary> filter = filter(request);
        QuarantineIndex.Found found = quarantineService.index().find(filter, WITHIN);
        Page<QuarantineSummary> page = Page.byTime(request, found.messages(), QuarantineSummary::time);
        return Answer.json(new Messages(
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

    private Predicate<QuarantineSummary> filter(Request request) {
        Instant since = SearchParameters.sinceOrEver(request, clock);
        Instant before = SearchParameters.before(request, clock);
        Optional<Predicate<String>> sender =
                SearchParameters.value(request, SENDER).map(DecisionQuery::ofAddress);
        Optional<Predicate<String>> recipient =
                SearchParameters.value(request, RECIPIENT).map(DecisionQuery::ofAddress);
        Optional<String> feed = SearchParameters.value(request, FEED);
        return message -> !message.time().isBefore(since)
                && message.time().isBefore(before)
                && sender.map(filter -> filter.test(message.mailFrom())).orElse(true)
                && recipient
                        .map(filter -> message.recipients().stream().anyMatch(filter))
                        .orElse(true)
                && feed.map(name -> name.equalsIgnoreCase(message.feed())).orElse(true);
    }
}
