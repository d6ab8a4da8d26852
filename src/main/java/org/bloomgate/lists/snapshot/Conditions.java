package org.bloomgate.lists.snapshot;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// The register of what is wrong with a part of the program at present. Each condition is logged when it begins,
/// changes and ends, however often it is noted. Thread-safe.
public final class Conditions {
    private static final Logger LOG = LoggerFactory.getLogger(Conditions.class);

    private final String component;
    private final String effect;
    private final InstantSource clock;
    private final Map<String, Registered> bySubject = new TreeMap<>();
    private long total;

    /// @param unready why the service is not ready, if it is not
    private record Registered(Condition condition, Optional<String> unready) {
        boolean isSame(Registered other) {
            return condition.generation().equals(other.condition.generation())
                    && condition.reason().equals(other.condition.reason())
                    && unready.equals(other.unready);
        }
    }

    /// @param component that begins each log line
    /// @param effect of each condition, for the log; may be empty
    public Conditions(String component, String effect, InstantSource clock) {
        this.component = component;
        this.effect = effect;
        this.clock = clock;
    }

    public void note(String subject, String reason) {
        note(Condition.of(subject, reason, clock.instant()), effect);
    }

    /// @param generation of the layer that is not as it should be; may be empty
    public void noteLayer(String layer, String generation, String reason) {
        note(new Condition(layer, layer, generation, reason, clock.instant()), effect);
    }

    /// @param ownEffect of this condition, for the log
    public void note(Condition condition, String ownEffect) {
        note(condition, Optional.empty(), ownEffect);
    }

    /// Notes a condition that makes the service unready until it ends.
    ///
    /// @param key of the configuration that the subject belongs to
    public void noteUnready(String subject, String key, String reason) {
        note(
                Condition.of(subject, reason, clock.instant()),
                Optional.of(key + ": " + reason),
                "the service is not ready until it ends");
    }

    private synchronized void note(Condition condition, Optional<String> unready, String consequence) {
        total++;
        Registered now = new Registered(condition, unready);
        Optional<Registered> before = Optional.ofNullable(bySubject.get(condition.subject()));
        if (before.filter(now::isSame).isEmpty()) {
            bySubject.put(condition.subject(), now);
            LOG.atLevel(unready.isPresent() ? Level.ERROR : Level.WARN)
                    .log(
                            "{}: {}: {}{}",
                            component,
                            condition.describeSubject(),
                            condition.reason(),
                            consequence.isEmpty() ? "" : " (" + consequence + ")");
        }
    }

    public synchronized void clear(String subject) {
        if (bySubject.remove(subject) != null) {
            LOG.info("{}: {}: recovered", component, subject);
        }
    }

    /// Forgets a subject that no longer exists.
    public synchronized void forget(String subject) {
        bySubject.remove(subject);
    }

    public synchronized void forgetAllBut(Set<String> subjects) {
        bySubject.keySet().retainAll(subjects);
    }

    public synchronized boolean has(String subject) {
        return bySubject.containsKey(subject);
    }

    /// The current conditions, by subject.
    public synchronized List<Condition> list() {
        return bySubject.values().stream().map(Registered::condition).toList();
    }

    /// Why the service is not ready.
    public synchronized List<String> listUnreadyReasons() {
        return bySubject.values().stream()
                .flatMap(registered -> registered.unready().stream())
                .toList();
    }

    /// How often a condition was noted since the start.
    public synchronized long countNotes() {
        return total;
    }
}
