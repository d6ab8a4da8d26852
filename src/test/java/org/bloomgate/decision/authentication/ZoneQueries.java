package org.bloomgate.decision.authentication;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Zones in memory, with the queries that were made. A name without records does not exist.
final class ZoneQueries implements DnsQueries {
    private final Map<String, Answer> answers = new HashMap<>();
    private final List<String> queried = new ArrayList<>();

    ZoneQueries with(String name, RecordType type, String... values) {
        return with(name, type, new Answer.Found(List.of(values)));
    }

    ZoneQueries with(String name, RecordType type, Answer answer) {
        answers.put(key(name, type), answer);
        return this;
    }

    ZoneQueries unknown(String name, RecordType type, String reason) {
        return with(name, type, new Answer.Unknown(reason));
    }

    @Override
    public Answer query(String name, RecordType type) {
        queried.add(key(name, type));
        return answers.getOrDefault(key(name, type), new Answer.None());
    }

    /// As `name type`, in order.
    List<String> queried() {
        return queried;
    }

    private static String key(String name, RecordType type) {
        return name.toLowerCase(Locale.ROOT) + " " + type;
    }
}
