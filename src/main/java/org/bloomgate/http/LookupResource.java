package org.bloomgate.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.Match;
import org.bloomgate.key.Use;
import org.bloomgate.lookup.ExactAnswer;
import org.bloomgate.lookup.Layer;
import org.bloomgate.lookup.LayerLease;
import org.bloomgate.lookup.LayerSource;
import org.bloomgate.lookup.UnknownReason;
import org.bloomgate.verdict.Listing;

/// `POST /v1/lookup`: the exact tier of layers for gateways that have only the filters. Answers from the stores on this
/// machine alone: a service that would ask another one says that it does not know.
final class LookupResource implements Resource {
    private static final RequestJson<Question> QUESTION = new RequestJson<>(
            Question.class, "{\"items\": [{\"layer\": string, \"kind\": string, \"key\": string}, ..]}");
    private final LayerSource layers;
    private final HttpOptions options;

    LookupResource(LayerSource layers, HttpOptions options) {
        this.layers = layers;
        this.options = options;
    }

    record Question(List<Item> items) {}

    /// @param key canonical text, of a password or file its digest in hex
    record Item(String layer, String kind, String key) {
        @Override
        public String toString() {
            return "Item[" + layer + ", " + kind + "]";
        }
    }

    /// @param layers generation of each layer asked about that is here
    /// @param answers one an item, in order
    @JsonPropertyOrder({"layers", "answers"})
    record Reply(Map<String, String> layers, List<Said> answers) {}

    /// @param answer `listed`, `not listed` or `unknown`
    /// @param reason of `unknown`
    @JsonPropertyOrder({"answer", "listings", "reason"})
    record Said(
            String answer,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Statement> listings,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String reason) {

        static Said of(ExactAnswer answer) {
            return switch (answer) {
                case ExactAnswer.Listed listed ->
                    new Said(
                            "listed",
                            listed.listings().stream().map(Statement::of).toList(),
                            "");
                case ExactAnswer.NotListed notListed -> new Said("not listed", List.of(), "");
                case ExactAnswer.Unknown unknown -> new Said("unknown", List.of(), word(unknown));
            };
        }

        /// A store's own words name files of this machine.
        private static String word(ExactAnswer.Unknown unknown) {
            return UnknownReason.of(unknown).map(UnknownReason::label).orElse("store");
        }
    }

    /// What one feed says of the key.
    @JsonPropertyOrder({"feed", "category", "match", "uses", "firstSeen", "lastSeen", "count"})
    record Statement(
            String feed,
            String category,
            Match match,
            List<Use> uses,
            Instant firstSeen,
            Instant lastSeen,
            long count) {
        static Statement of(Listing listing) {
            return new Statement(
                    listing.feed(),
                    listing.category(),
                    listing.match(),
                    listing.uses().stream().sorted().toList(),
                    listing.firstSeen(),
                    listing.lastSeen(),
                    listing.count());
        }
    }

    @Override
    public Route route() {
        return Route.post("/v1/lookup", List.of(JSON), options.maxBodyBytes()).with();
    }

    @Override
    public Answer answer(Request request) throws IOException {
        List<Item> items = QUESTION.read(request.body()).items();
        if (items.size() > options.maxItems()) {
            throw refused("items: at most " + options.maxItems());
        }
        List<Key> keys = IntStream.range(0, items.size())
                .mapToObj(i -> key(i, items.get(i)))
                .toList();
        try (LayerLease lease = layers.lease()) {
            return Answer.json(reply(lease, items, keys, request.body()));
        }
    }

    private static Reply reply(LayerLease lease, List<Item> items, List<Key> keys, RequestBody time) {
        Map<String, List<Integer>> places = IntStream.range(0, items.size())
                .boxed()
                .collect(Collectors.groupingBy(i -> items.get(i).layer()));
        List<ExactAnswer> answers = new ArrayList<>(Collections.nCopies(items.size(), UnknownReason.NO_LAYER.answer()));
        Map<String, String> generations = new TreeMap<>();
        for (Layer layer : lease.layers()) {
            List<Integer> here = places.getOrDefault(layer.name(), List.of());
            if (!here.isEmpty()) {
                generations.put(layer.name(), layer.generation());
                List<ExactAnswer> given =
                        ask(layer, here.stream().map(keys::get).toList(), time);
                IntStream.range(0, here.size()).forEach(i -> answers.set(here.get(i), given.get(i)));
            }
        }
        return new Reply(generations, answers.stream().map(Said::of).toList());
    }

    private static List<ExactAnswer> ask(Layer layer, List<Key> keys, RequestBody time) {
        return layer.exact()
                .local()
                .map(store -> store.lookup(keys, time.left()))
                .orElseGet(() -> Collections.nCopies(keys.size(), UnknownReason.NO_DATA.answer()));
    }

    private static Key key(int index, Item item) {
        KeyKind kind = KeyKind.ofLabel(item.kind())
                .orElseThrow(() -> refused("items[" + index + "].kind: expected one of " + KeyKind.labels()));
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(item.key())) {
            throw refused("items[" + index + "].key: not a text");
        }
        return new Key(kind, item.key());
    }

    private static ProblemException refused(String detail) {
        return new ProblemException(Problem.badRequest(detail));
    }
}
