package org.bloomgate.decision.authentication;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.bloomgate.lookup.dns.DnsQuestion.RecordType;
import org.bloomgate.lookup.dns.DnsReply;
import org.bloomgate.lookup.dns.DnsReply.Cause;

/// Zones in memory, with the queries that were made. A name without records does not exist.
final class ZoneQueries implements DnsQueries {
    private final Map<String, DnsReply> answers = new HashMap<>();
    private final List<String> queried = new ArrayList<>();

    ZoneQueries with(String name, RecordType type, String... values) {
        return with(name, type, new DnsReply.Found(List.of(values), Duration.ZERO));
    }

    ZoneQueries with(String name, RecordType type, DnsReply answer) {
        answers.put(key(name, type), answer);
        return this;
    }

    ZoneQueries unknown(String name, RecordType type, String reason) {
        return with(
                name,
                type,
                new DnsReply.Failed(
                        switch (reason) {
                            case "timeout" -> Cause.TIMEOUT;
                            case "bound" -> Cause.BOUND;
                            default -> Cause.ERROR;
                        },
                        reason));
    }

    @Override
    public DnsReply query(String name, RecordType type) {
        queried.add(key(name, type));
        return answers.getOrDefault(key(name, type), new DnsReply.Absent(Duration.ZERO));
    }

    /// As `name type`, in order.
    List<String> queried() {
        return queried;
    }

    private static String key(String name, RecordType type) {
        return name.toLowerCase(Locale.ROOT) + " " + type;
    }
}
