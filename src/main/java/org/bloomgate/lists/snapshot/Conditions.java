package org.bloomgate.lists.snapshot;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.bloomgate.lists.snapshot.LiveStatus.LayerStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// The register of what is wrong with a part of the program at present. Each condition is logged when it begins,
/// changes and ends, however often it is noted. Thread-safe.
public final class Conditions {
    private static final Logger LOG = LoggerFactory.getLogger(Conditions.class);

    private final String component;
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
    public Conditions(String component, InstantSource clock) {
        this.component = component;
        this.clock = clock;
    }

    public void note(String subject, String reason) {
        noteWithoutEffect(Condition.of(subject, reason, clock.instant()));
    }

    /// @param generation of the layer that is not as it should be; may be empty
    public void noteLayer(String layer, String generation, String reason) {
        noteWithoutEffect(new Condition(layer, layer, generation, reason, clock.instant()));
    }

    private void noteWithoutEffect(Condition condition) {
        note(condition, Optional.empty(), condition.describe());
    }

    /// @param inForce the layers in force, for the log
    public void note(Condition condition, List<LayerStatus> inForce) {
        note(condition, Optional.empty(), condition.describe(inForce));
    }

    /// Notes a condition that makes the service unready until it ends.
    ///
    /// @param key of the configuration that the subject belongs to
    public void noteUnready(String subject, String key, String reason) {
        Condition condition = Condition.of(subject, reason, clock.instant());
        note(
                condition,
                Optional.of(key + ": " + reason),
                condition.describe() + " (the service is not ready until it ends)");
    }

    private synchronized void note(Condition condition, Optional<String> unready, String text) {
        total++;
        Registered now = new Registered(condition, unready);
        Optional<Registered> before = Optional.ofNullable(bySubject.get(condition.subject()));
        if (before.filter(now::isSame).isEmpty()) {
            bySubject.put(condition.subject(), now);
            LOG.atLevel(unready.isPresent() ? Level.ERROR : Level.WARN).log("{}: {}", component, text);
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
