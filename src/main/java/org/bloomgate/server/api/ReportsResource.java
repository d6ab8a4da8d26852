package org.bloomgate.server.api;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.config.Labelled;
import org.bloomgate.decision.evaluation.CheckResult;
import org.bloomgate.decision.evaluation.ValueCheck;
import org.bloomgate.decision.reports.Report;
import org.bloomgate.decision.reports.Report.State;
import org.bloomgate.decision.reports.ReportedIdentifier;
import org.bloomgate.decision.reports.Reports;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.local.EntryService;
import org.bloomgate.lookup.local.EntryText;
import org.bloomgate.lookup.local.EntryText.Field;
import org.bloomgate.lookup.local.ListingPreview;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.ProblemType;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.RequestJson;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Role;

/// `/v1/reports/{id}`: `GET` shows one report with what is known of its identifiers, `POST` decides it. For the role
/// quarantine; a listing is for the role admin.
final class ReportsResource implements Resource {
    private static final RequestJson<DecisionRequest> DECISION = RequestJson.withOptionalFields(
            DecisionRequest.class,
            "{\"state\": \"listed\", \"harmless\" or \"later\"; with \"listed\" \"kind\", \"value\", \"match\","
                    + " \"expires\", \"reason\": string, \"force\": boolean}");

    private final Reports reports;
    private final ValueCheck values;
    private final EntryService entries;
    private final InstantSource clock;

    ReportsResource(Services.Lookups lookups, EntryService entries, InstantSource clock) {
        this.reports = lookups.reports();
        this.values = lookups.values();
        this.entries = entries;
        this.clock = clock;
    }

    /// @param state what becomes of the report
    /// @param kind of the identifier to list
    /// @param force whether to list it although a gate objects
    record DecisionRequest(
            String state,
            Optional<String> kind,
            Optional<String> value,
            Optional<String> match,
            Optional<String> expires,
            Optional<String> reason,
            Optional<Boolean> force) {
        private EntryText toListing(String id, String author) {
            return EntryText.ofTerms(reason.orElse("report " + id), expires.orElse(""), author)
                    .with(Field.KIND, kind.orElse(""))
                    .with(Field.VALUE, value.orElse(""))
                    .with(Field.MATCH, match.orElse(""));
        }
    }

    record ReportList(List<Report> reports) {}

    /// @param preview of its listing; there are objections if it is greyed
    /// @param check of the value in all lists
    record KnownIdentifier(ReportedIdentifier identifier, ListingPreview preview, Optional<CheckResult> check) {}

    record ShownReport(Report report, List<KnownIdentifier> identifiers) {}

    /// `GET /v1/reports`: the reports, the last changed first.
    Answer list(Request request) throws IOException {
        Optional<String> state = SearchParameters.value(request, "state");
        return Answer.json(new ReportList(reports.store()
                .list(
                        Instant.EPOCH,
                        report -> state.map(report.outcome().state().label()::equals)
                                .orElse(true),
                        SearchParameters.limit(request))));
    }

    @Override
    public Answer answer(Request request) throws IOException {
        return Answer.json(
                request.method().equals("POST") ? decide(request, DECISION.read(request.body())) : show(find(request)));
    }

    private Report find(Request request) throws IOException {
        return reports.store()
                .find(request.pathParameter("id"))
                .orElseThrow(() -> new ProblemException(Problem.notFound()));
    }

    private ShownReport show(Report report) throws IOException {
        List<ListingPreview> previews = reports.preview(report, clock.instant());
        List<KnownIdentifier> identifiers = new ArrayList<>();
        for (ReportedIdentifier identifier : report.message().identifiers()) {
            identifiers.add(new KnownIdentifier(
                    identifier,
                    previews.get(identifiers.size()),
                    values.check(identifier.key().kind(), identifier.key().text())));
        }
        return new ShownReport(report, identifiers);
    }

    private ShownReport decide(Request request, DecisionRequest decision) throws IOException {
        State state = Labelled.find(State.class, decision.state())
                .filter(named -> named != State.OPEN)
                .orElseThrow(() -> SearchParameters.invalid("state", "listed, harmless or later"));
        Report report = find(request);
        if (state == State.LISTED) {
            addListing(request, report, decision);
        }
        return show(reports.decide(request.actor(), report.id(), state, clock.instant())
                .orElseThrow(() -> new ProblemException(Problem.notFound())));
    }

    private void addListing(Request request, Report report, DecisionRequest decision) throws IOException {
        if (!request.caller().may(Role.ADMIN)) {
            throw new ProblemException(Problem.of(ProblemType.ROLE_TOO_LOW, "a listing needs the role admin"));
        }
        EntryText listing = decision.toListing(report.id(), request.actor().who());
        try {
            reports.requireNamed(report, listing);
            LocalEntriesResource.requireAdded(entries.addListing(
                    request.actor(), listing, decision.force().orElse(false), reports.gatesOf(report)));
        } catch (EntryRefusedException e) {
            throw new ProblemException(Problem.badRequest(String.valueOf(e.getMessage())));
        }
    }
}
