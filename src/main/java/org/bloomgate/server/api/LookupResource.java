package org.bloomgate.server.api;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.remote.LookupQuestion;
import org.bloomgate.lookup.remote.LookupQuestion.Item;
import org.bloomgate.lookup.remote.LookupReply;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.UnknownReason;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.RequestBody;
import org.bloomgate.server.http.RequestJson;
import org.bloomgate.server.http.Resource;

/// `POST /v1/lookup`: the exact tier of layers for gateways that have only the filters. Answers from the stores
/// on this machine only: a service whose exact tier is remote answers that it has no data.
final class LookupResource implements Resource {
    private static final RequestJson<LookupQuestion> QUERY = new RequestJson<>(
            LookupQuestion.class, "{\"items\": [{\"layer\": string, \"kind\": string, \"key\": string}, ..]}");

    private final LayerSource layers;
    private final int maxItems;

    LookupResource(LayerSource layers, int maxItems) {
        this.layers = layers;
        this.maxItems = maxItems;
    }

    @Override
    public Answer answer(Request request) throws IOException {
        List<Item> items =
                RequestItems.requireAtMost(maxItems, QUERY.read(request.body()).items());
        List<Key> keys = IntStream.range(0, items.size())
                .mapToObj(i -> key(i, items.get(i)))
                .toList();
        try (LayerLease lease = layers.lease()) {
            return Answer.json(reply(lease, items, keys, request.body()));
        }
    }

    private static LookupReply reply(LayerLease lease, List<Item> items, List<Key> keys, RequestBody time) {
        Map<String, List<Integer>> positionsByLayer = IntStream.range(0, items.size())
                .boxed()
                .collect(Collectors.groupingBy(i -> items.get(i).layer()));
        List<ExactAnswer> answers = new ArrayList<>(Collections.nCopies(items.size(), UnknownReason.NO_LAYER.answer()));
        Map<String, String> generations = new TreeMap<>();
        for (Layer layer : lease.layers()) {
            List<Integer> positions = positionsByLayer.getOrDefault(layer.name(), List.of());
            if (!positions.isEmpty()) {
                generations.put(layer.name(), layer.generation());
                List<ExactAnswer> found =
                        lookUp(layer, positions.stream().map(keys::get).toList(), time);
                IntStream.range(0, positions.size()).forEach(i -> answers.set(positions.get(i), found.get(i)));
            }
        }
        return new LookupReply(
                generations, answers.stream().map(LookupReply.KeyAnswer::of).toList());
    }

    private static List<ExactAnswer> lookUp(Layer layer, List<Key> keys, RequestBody time) {
        return layer.exact()
                .local()
                .map(store -> store.lookup(keys, time.left()))
                .orElseGet(() -> Collections.nCopies(keys.size(), UnknownReason.NO_DATA.answer()));
    }

    private static Key key(int index, Item item) {
        KeyKind kind = RequestItems.kind(index, item.kind());
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(item.key())) {
            throw RequestItems.invalid(index, "key", "not a text");
        }
        return new Key(kind, item.key());
    }
}
