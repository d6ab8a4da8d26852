package org.bloomgate.server.api;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.decision.evaluation.CheckResult;
import org.bloomgate.decision.evaluation.ValueCheck;
import org.bloomgate.lookup.tier.Verdict;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Faults;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.RequestBody;
import org.bloomgate.server.http.RequestJson;
import org.bloomgate.server.http.Resource;

/// `POST /v1/check`: the verdicts on a list of values, in order. An item is unresolved if the time of the
/// request ends before it, if it has no canonical form of its kind, or if its check fails; the other items are
/// still looked up.
final class CheckResource implements Resource {
    private static final RequestJson<Query> QUERY =
            RequestJson.withOptionalFields(Query.class, "{\"items\": [{\"kind\": string, \"value\": string}, ..]}");
    static final String PATH = "/v1/check";

    private final ValueCheck values;
    private final int maxItems;

    CheckResource(ValueCheck values, int maxItems) {
        this.values = values;
        this.maxItems = maxItems;
    }

    record Query(List<Item> items) {
        Query {
            items = List.copyOf(items);
        }
    }

    /// @param kind empty to check the value as each kind whose form it has
    record Item(Optional<String> kind, String value) {
        @Override
        public String toString() {
            return "Item[" + kind + "]";
        }
    }

    record Results(List<CheckResult> results) {}

    @Override
    public Answer answer(Request request) throws IOException {
        List<Item> items =
                RequestItems.requireAtMost(maxItems, QUERY.read(request.body()).items());
        List<CheckResult> results = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            results.add(check(i, items.get(i), request.body()));
        }
        return Answer.json(new Results(results));
    }

    private CheckResult check(int index, Item item, RequestBody request) {
        Optional<KeyKind> kind = item.kind().map(label -> RequestItems.kind(index, label));
        String value = item.value();
        if (!request.inTime()) {
            return unresolved(kind, value, "out of time");
        }
        try {
            Optional<CheckResult> result = kind.isPresent() ? values.check(kind.get(), value) : values.check(value);
            return result.orElseGet(() -> unresolved(
                    kind,
                    value,
                    kind.map(known -> known.rules().isSecret()
                                    ? "no canonical form"
                                    : ValueCheck.describeMismatch(known, value))
                            .orElse("of no kind that is recognised by its form; name its kind")));
        } catch (RuntimeException | StackOverflowError fault) {
            Faults.log(PATH, fault);
            return unresolved(kind, value, "a fault while it was checked");
        }
    }

    private static CheckResult unresolved(Optional<KeyKind> kind, String value, String reason) {
        return CheckResult.of(kind.orElse(KeyKind.DOMAIN), value, new Verdict.Unresolved(reason, Set.of()), false);
    }
}
