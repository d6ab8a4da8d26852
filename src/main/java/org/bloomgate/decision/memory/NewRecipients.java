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

    private final Map<String, Map<RecipientSpan, SpanCount>> users = new LinkedHashMap<>(16, 0.75f, true);

    /// The new recipients of a user in one hour or day.
    ///
    /// @param number of the hour or day since 1970
    /// @param overLimitSince when a recipient was first over the limit
    private record SpanCount(long number, Set<Long> addresses, Optional<Instant> overLimitSince) {}

    /// Whether the user may write to a new address. Each counts once in a span.
    ///
    /// @param limits 0: none
    synchronized boolean admit(String user, long address, Map<RecipientSpan, Integer> limits, Instant now) {
        Map<RecipientSpan, SpanCount> spans = users.computeIfAbsent(user, _ -> new LinkedHashMap<>());
        if (users.size() > MAX_USERS) {
            users.remove(users.keySet().iterator().next());
        }
        boolean isAdmitted = true;
        for (RecipientSpan span : RecipientSpan.values()) {
            int limit = limits.getOrDefault(span, 0);
            SpanCount count = findCurrent(spans, span, now);
            if (limit > 0
                    && count.addresses().size() >= limit
                    && !count.addresses().contains(address)) {
                isAdmitted = false;
                if (count.overLimitSince().isEmpty()) {
                    LOG.warn(
                            "newRecipients: user {}: over {} {} (policy.newRecipients.action applies to further ones)",
                            user,
                            span.label(),
                            limit);
                    spans.put(span, new SpanCount(count.number(), count.addresses(), Optional.of(now)));
                }
            }
        }
        if (isAdmitted) {
            spans.values().forEach(count -> count.addresses().add(address));
        }
        return isAdmitted;
    }

    private static SpanCount findCurrent(Map<RecipientSpan, SpanCount> spans, RecipientSpan span, Instant now) {
        long number = Math.floorDiv(now.getEpochSecond(), span.seconds());
        return spans.compute(
                span,
                (_, count) -> count != null && count.number() == number
                        ? count
                        : new SpanCount(number, new HashSet<>(), Optional.empty()));
    }

    /// The users who are over a limit now, with the time since when.
    synchronized Map<String, Instant> listBursts(Instant now) {
        Map<String, Instant> bursts = new LinkedHashMap<>();
        users.forEach((user, spans) -> List.copyOf(spans.keySet())
                .forEach(span -> findCurrent(spans, span, now)
                        .overLimitSince()
                        .ifPresent(since -> bursts.putIfAbsent(user, since))));
        return bursts;
    }
}
