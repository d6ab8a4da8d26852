package org.bloomgate.server.api;

import static java.util.stream.Collectors.toUnmodifiableSet;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.base.io.IoText;
import org.bloomgate.decision.evaluation.FalsePositive;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.local.EntryService;
import org.bloomgate.lookup.local.EntryStatus;
import org.bloomgate.lookup.local.EntryText;
import org.bloomgate.lookup.local.EntryText.Field;
import org.bloomgate.lookup.local.ListingGates;
import org.bloomgate.lookup.local.ListingPreview;
import org.bloomgate.lookup.local.LiveEntries;
import org.bloomgate.lookup.local.LocalEntries;
import org.bloomgate.lookup.local.RemoteEntries;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.ProblemType;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.RequestJson;
import org.bloomgate.server.http.Resource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `/v1/listings` and `/v1/exceptions`: `GET` returns all entries, `POST` adds the one in its body, `DELETE`
/// removes the entries that its query selects. A change is durable and applies when it is answered. Changes are
/// for the role admin.
final class LocalEntriesResource implements Resource {
    /// The entries of a resource.
    enum Kind {
        LISTINGS("/v1/listings", Entry.Type.LISTING),
        EXCEPTIONS("/v1/exceptions", Entry.Type.EXCEPTION);

        private final String path;
        private final Entry.Type type;

        Kind(String path, Entry.Type type) {
            this.path = path;
            this.type = type;
        }

        /// The fields in the body of `POST`, sorted.
        private Set<String> bodyFields() {
            Set<Field> terms = EnumSet.of(
                    Field.KIND, Field.VALUE, Field.MATCH, Field.CATEGORY, Field.REASON, Field.EXPIRES, Field.AUTHOR);
            if (this == EXCEPTIONS) {
                terms.addAll(EnumSet.of(Field.FEED, Field.RECIPIENT_DOMAIN, Field.SENDER, Field.AUTHENTICATED));
            }
            Set<String> names = new TreeSet<>(terms.stream().map(Field::label).toList());
            if (this == EXCEPTIONS) {
                names.add(TOKEN);
            }
            return names;
        }

        /// The query parameters of `DELETE`.
        private Set<Field> selectors() {
            Set<Field> selectors = EnumSet.of(Field.KIND, Field.VALUE);
            if (this == EXCEPTIONS) {
                selectors.addAll(EnumSet.of(Field.FEED, Field.CATEGORY, Field.RECIPIENT_DOMAIN, Field.SENDER));
            }
            return selectors;
        }

        private Set<String> selectorNames() {
            return selectors().stream().map(Field::label).collect(toUnmodifiableSet());
        }

        /// The query parameters of all methods.
        Set<String> parameters() {
            return Stream.concat(selectorNames().stream(), Stream.of(FORCE)).collect(toUnmodifiableSet());
        }

        String path() {
            return path;
        }
    }

    /// In the body of a new exception, instead of kind and value: the token of the decision that was wrong.
    private static final String TOKEN = "token";

    private static final Logger LOG = LoggerFactory.getLogger(LocalEntriesResource.class);
    private static final RequestJson<Fields> FIELDS =
            new RequestJson<>(Fields.class, "{\"kind\": string, \"value\": string, ..}");

    /// In the query of a new listing: adds it although a gate objects.
    private static final String FORCE = "force";

    private final Kind kind;
    private final LiveEntries local;
    private final ListingGates gates;
    private final DecisionJournal journal;
    private final EntryService service;

    LocalEntriesResource(
            Kind kind, LiveEntries local, EntryService service, ListingGates gates, DecisionJournal journal) {
        this.journal = journal;
        this.kind = kind;
        this.local = local;
        this.service = service;
        this.gates = gates;
    }

    /// The body: the JSON of an [EntryText], or a token and terms.
    static final class Fields extends LinkedHashMap<String, Object> {
        private static final long serialVersionUID = 1L;
    }

    record Entries(List<EntryText> entries) {}

    /// @param entries of this machine
    /// @param publisher entries of the operators of the publisher; absent if there are none
    record AllEntries(
            List<EntryStatus> entries,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<EntryStatus> publisher) {}

    /// The query parameters of a method.
    private Set<String> parameters(String method) {
        return switch (method) {
            case "POST" -> kind == Kind.LISTINGS ? Set.of(FORCE) : Set.of();
            case "DELETE" -> kind.selectorNames();
            default -> Set.of();
        };
    }

    @Override
    public Answer answer(Request request) throws IOException {
        requireParameters(request);
        return switch (request.method()) {
            case "POST" -> {
                Actor actor = request.actor();
                boolean force = SearchParameters.isTrue(request, FORCE, false);
                Map<String, Object> body = body(request);
                EntryText text = text(body, actor);
                yield apply(() -> body.get(TOKEN) instanceof String token
                        ? service.takeBack(actor, FalsePositive.find(token, journal), text)
                        : add(actor, text, force));
            }
            case "DELETE" -> {
                Actor actor = request.actor();
                EntryText selection = selection(request);
                yield apply(() -> remove(actor, selection));
            }
            default -> all();
        };
    }

    /// `POST /v1/listings/preview`: what the listing in the body would do. It changes nothing.
    Answer preview(Request request) throws IOException {
        EntryText text = text(body(request), request.actor());
        return Answer.json(checked(() -> service.preview(text, gates)));
    }

    private Answer all() throws IOException {
        LocalEntries own = local.entries();
        RemoteEntries remote = local.remoteEntries();
        return switch (kind) {
            case LISTINGS ->
                Answer.json(
                        new AllEntries(EntryStatus.listings(own, remote), EntryStatus.publisherListings(own, remote)));
            case EXCEPTIONS ->
                Answer.json(new AllEntries(
                        EntryStatus.exceptions(own, remote, local.hits(), gates.feeds()),
                        EntryStatus.publisherExceptions(own, remote, local.hits())));
        };
    }

    private void requireParameters(Request request) {
        Set<String> accepted = parameters(request.method());
        for (String name : kind.parameters()) {
            if (!accepted.contains(name) && request.query(name).isPresent()) {
                throw new ProblemException(
                        Problem.badRequest(name + ": " + request.method() + " does not take this parameter"));
            }
        }
    }

    /// Proxies and clients drop the body of a `DELETE`, so that it must not decide what is removed.
    private EntryText selection(Request request) throws IOException {
        if (request.body().read() >= 0) {
            throw new ProblemException(
                    Problem.invalidBody("DELETE takes no body: name the entry by query, ?kind=..&value=.."));
        }
        EntryText selection = EntryText.EMPTY;
        for (Field field : kind.selectors()) {
            selection = selection.with(field, request.query(field.label()).orElse(""));
        }
        return selection;
    }

    private Map<String, Object> body(Request request) throws IOException {
        Map<String, Object> body = FIELDS.read(request.body());
        boolean hasToken = body.containsKey(TOKEN);
        if (!kind.bodyFields().containsAll(body.keySet())
                || body.containsValue(null)
                || (hasToken && !(body.get(TOKEN) instanceof String))) {
            throw unexpected();
        }
        return body;
    }

    private ProblemException unexpected() {
        return new ProblemException(Problem.invalidBody("expected texts named " + kind.bodyFields()));
    }

    /// The author is the caller if the fields do not name another one.
    private EntryText text(Map<String, Object> body, Actor caller) {
        try {
            EntryText text = EntryText.ofJson(body);
            return body.containsKey(Field.AUTHOR.label()) ? text : text.with(Field.AUTHOR, caller.who());
        } catch (IllegalArgumentException e) {
            throw unexpected();
        }
    }

    @FunctionalInterface
    private interface Change<T> {
        T apply() throws IOException, EntryRefusedException;
    }

    private Answer apply(Change<List<Entry>> change) {
        return Answer.json(
                new Entries(checked(change).stream().map(EntryText::masked).toList()));
    }

    private <T> T checked(Change<T> change) {
        try {
            return change.apply();
        } catch (EntryRefusedException refused) {
            throw new ProblemException(Problem.badRequest(String.valueOf(refused.getMessage())));
        } catch (IOException fault) {
            LOG.error("{}: {}", kind.path, IoText.describe(fault));
            throw new ProblemException(Problem.of(
                    ProblemType.STORAGE_FULL, "could not be written; the fault is in the log of the server"));
        }
    }

    private List<Entry> add(Actor actor, EntryText text, boolean force) throws IOException, EntryRefusedException {
        return switch (kind) {
            case LISTINGS -> addListing(actor, text, force);
            case EXCEPTIONS -> service.addException(actor, text, gates);
        };
    }

    private List<Entry> addListing(Actor actor, EntryText text, boolean force)
            throws IOException, EntryRefusedException {
        return requireAdded(service.addListing(actor, text, force, gates));
    }

    /// @throws ProblemException with the objections if nothing was added
    static List<Entry> requireAdded(EntryService.Added added) {
        if (added.entries().isEmpty()) {
            ListingPreview preview = added.preview();
            throw new ProblemException(
                    Problem.conflict(String.join("; ", preview.objections()) + "; " + preview.effect()));
        }
        return added.entries();
    }

    private List<Entry> remove(Actor actor, EntryText text) throws IOException, EntryRefusedException {
        List<Entry> removed = service.remove(actor, kind.type, text);
        if (removed.isEmpty()) {
            throw new ProblemException(Problem.notFound());
        }
        return removed;
    }
}
