package org.bloomgate.decision.memory;

import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The addresses outside the site that each user has written to for the first time, in the current UTC hour and day. An
/// account that was taken over writes to strangers. Begins again at a restart. Thread-safe.
final class NewRecipients {
    /// Users that are counted; the one who wrote least recently is forgotten.
    static final int MAX_USERS = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(NewRecipients.class);

    private final Map<String, Map<RecipientSpan, Counted>> users = new LinkedHashMap<>(16, 0.75f, true);

    /// @param number of the span since 1970
    /// @param refused since when a recipient was over the limit
    private record Counted(long number, Set<Long> addresses, Optional<Instant> refused) {}

    /// Whether the user may write to a new address. Each counts once in a span.
    ///
    /// @param limits 0: none
    synchronized boolean admit(String user, long address, Map<RecipientSpan, Integer> limits, Instant now) {
        Map<RecipientSpan, Counted> spans = users.computeIfAbsent(user, _ -> new LinkedHashMap<>());
        if (users.size() > MAX_USERS) {
            users.remove(users.keySet().iterator().next());
        }
        boolean isAdmitted = true;
        for (RecipientSpan span : RecipientSpan.values()) {
            int limit = limits.getOrDefault(span, 0);
            Counted counted = find(spans, span, now);
            if (limit > 0
                    && counted.addresses().size() >= limit
                    && !counted.addresses().contains(address)) {
                isAdmitted = false;
                if (counted.refused().isEmpty()) {
                    LOG.warn(
                            "newRecipients: user {} is over {} {}: policy.newRecipients.action applies to further ones",
                            user,
                            span.label(),
                            limit);
                    spans.put(span, new Counted(counted.number(), counted.addresses(), Optional.of(now)));
                }
            }
        }
        if (isAdmitted) {
            spans.values().forEach(counted -> counted.addresses().add(address));
        }
        return isAdmitted;
    }

    private static Counted find(Map<RecipientSpan, Counted> spans, RecipientSpan span, Instant now) {
        long number = Math.floorDiv(now.getEpochSecond(), span.seconds());
        return spans.compute(
                span,
                (_, counted) -> counted != null && counted.number() == number
                        ? counted
                        : new Counted(number, new HashSet<>(), Optional.empty()));
    }

    /// The users who are over a limit now, with the time since when.
    synchronized Map<String, Instant> listBursts(Instant now) {
        Map<String, Instant> bursts = new LinkedHashMap<>();
        users.forEach((user, spans) -> List.copyOf(spans.keySet())
                .forEach(span -> find(spans, span, now).refused().ifPresent(since -> bursts.putIfAbsent(user, since))));
        return bursts;
    }
}
