package org.bloomgate.server.api;

import static java.util.stream.Collectors.toUnmodifiableSet;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.base.io.IoText;
import org.bloomgate.decision.evaluation.FalsePositive;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.lookup.local.EntryLine;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.local.EntryService;
import org.bloomgate.lookup.local.EntryText;
import org.bloomgate.lookup.local.ExceptionLine;
import org.bloomgate.lookup.local.ListingGates;
import org.bloomgate.lookup.local.ListingLine;
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

        private Set<String> fields() {
            return switch (this) {
                case LISTINGS -> Set.of("kind", "value", "match", "category", "reason", "expires", "author");
                case EXCEPTIONS ->
                    Set.of(
                            "kind",
                            "value",
                            "match",
                            "feed",
                            "category",
                            "recipientDomain",
                            "sender",
                            "reason",
                            "expires",
                            "author",
                            AUTHENTICATED,
                            TOKEN);
            };
        }

        /// The query parameters of `DELETE`.
        private Set<String> selectors() {
            return switch (this) {
                case LISTINGS -> Set.of("kind", "value");
                case EXCEPTIONS -> Set.of("kind", "value", "feed", "category", "recipientDomain", "sender");
            };
        }

        /// The query parameters of all methods.
        Set<String> parameters() {
            return Stream.concat(selectors().stream(), Stream.of(FORCE)).collect(toUnmodifiableSet());
        }

        String path() {
            return path;
        }
    }

    /// In the body of a new exception, instead of kind and value: the token of the decision that was wrong.
    private static final String TOKEN = "token";

    /// In the body of a new exception with a sender: `false` if it also applies to unauthenticated senders.
    private static final String AUTHENTICATED = "authenticated";

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
    private final InstantSource clock;

    LocalEntriesResource(
            Kind kind,
            LiveEntries local,
            EntryService service,
            ListingGates gates,
            DecisionJournal journal,
            InstantSource clock) {
        this.journal = journal;
        this.kind = kind;
        this.local = local;
        this.service = service;
        this.gates = gates;
        this.clock = clock;
    }

    /// The body: texts by name, except [#AUTHENTICATED].
    static final class Fields extends LinkedHashMap<String, Object> {
        private static final long serialVersionUID = 1L;
    }

    record Entries(List<EntryLine> entries) {}

    /// @param entries of this machine
    /// @param publisher entries of the operators of the publisher; absent if there are none
    record AllEntries<T>(
            List<T> entries,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<T> publisher) {}

    /// The query parameters of a method.
    private Set<String> parameters(String method) {
        return switch (method) {
            case "POST" -> kind == Kind.LISTINGS ? Set.of(FORCE) : Set.of();
            case "DELETE" -> kind.selectors();
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
                Map<String, String> fields = fields(request);
                EntryText text = text(fields, actor);
                yield apply(() -> fields.containsKey(TOKEN)
                        ? service.add(actor, exceptions(fields.getOrDefault(TOKEN, ""), text))
                        : add(actor, text, force));
            }
            case "DELETE" -> {
                Actor actor = request.actor();
                EntryText selection = text(selection(request), actor);
                yield apply(() -> remove(actor, selection));
            }
            default -> all();
        };
    }

    private Answer all() throws IOException {
        LocalEntries own = local.entries();
        RemoteEntries remote = local.remoteEntries();
        return switch (kind) {
            case LISTINGS ->
                Answer.json(new AllEntries<>(ListingLine.ours(own, remote), ListingLine.theirs(own, remote)));
            case EXCEPTIONS ->
                Answer.json(new AllEntries<>(
                        ExceptionLine.ours(own, remote, local.hits(), gates.feeds()),
                        ExceptionLine.theirs(own, remote, local.hits())));
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
    private Map<String, String> selection(Request request) throws IOException {
        if (request.body().read() >= 0) {
            throw new ProblemException(
                    Problem.invalidBody("DELETE takes no body: name the entry by query, ?kind=..&value=.."));
        }
        Map<String, String> selection = new LinkedHashMap<>();
        kind.selectors().forEach(name -> request.query(name).ifPresent(value -> selection.put(name, value)));
        return selection;
    }

    private Map<String, String> fields(Request request) throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        FIELDS.read(request.body()).forEach((name, value) -> {
            if (name.equals(AUTHENTICATED) ? value instanceof Boolean : value instanceof String) {
                fields.put(name, value.toString());
            } else {
                throw unexpected();
            }
        });
        if (!kind.fields().containsAll(fields.keySet())) {
            throw unexpected();
        }
        return fields;
    }

    private ProblemException unexpected() {
        return new ProblemException(Problem.invalidBody(
                "expected texts named " + kind.fields().stream().sorted().toList()));
    }

    /// The author is the caller if the fields do not name another one.
    private static EntryText text(Map<String, String> fields, Actor caller) {
        return new EntryText(
                fields.getOrDefault("kind", ""),
                fields.getOrDefault("value", ""),
                fields.getOrDefault("match", ""),
                fields.getOrDefault("feed", ""),
                fields.getOrDefault("category", ""),
                fields.getOrDefault("recipientDomain", ""),
                fields.getOrDefault("sender", ""),
                fields.getOrDefault("reason", ""),
                fields.getOrDefault("expires", ""),
                fields.getOrDefault("author", caller.who()),
                fields.getOrDefault(AUTHENTICATED, "true").equals("true"));
    }

    @FunctionalInterface
    private interface Change {
        List<Entry> apply() throws IOException, EntryRefusedException;
    }

    private Answer apply(Change change) {
        try {
            return Answer.json(
                    new Entries(change.apply().stream().map(EntryLine::shown).toList()));
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
            case LISTINGS -> list(actor, text, force);
            case EXCEPTIONS -> service.except(actor, text, gates);
        };
    }

    private List<Entry> list(Actor actor, EntryText text, boolean force) throws IOException, EntryRefusedException {
        EntryService.Added added = service.list(actor, text, force, gates);
        if (added.entries().isEmpty()) {
            ListingGates.ListingImpact impact = added.impact();
            throw new ProblemException(
                    Problem.conflict(String.join("; ", impact.objections()) + "; " + impact.stopped()));
        }
        return added.entries();
    }

    /// The exceptions that let messages like the decided one through.
    private List<Entry> exceptions(String token, EntryText terms) throws EntryRefusedException {
        return FalsePositive.exceptions(token, journal, terms, clock.instant());
    }

    private List<Entry> remove(Actor actor, EntryText text) throws IOException, EntryRefusedException {
        List<Entry> removed = service.remove(actor, kind.type, text);
        if (removed.isEmpty()) {
            throw new ProblemException(Problem.notFound());
        }
        return removed;
    }
}
