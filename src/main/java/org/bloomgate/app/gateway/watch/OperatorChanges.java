package org.bloomgate.app.gateway.watch;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.base.audit.AuditEvent;
import org.bloomgate.base.audit.AuditEvent.What;
import org.bloomgate.base.audit.AuditLog;
import org.bloomgate.base.io.IoText;
import org.bloomgate.server.http.Operator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Records in the audit log which operators a reload adds, changes or removes.
public record OperatorChanges(AuditLog audit, InstantSource clock) {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorChanges.class);
    private static final Actor RELOAD = new Actor("reload", Actor.Way.COMMAND, "");

    /// Logs a failure instead of throwing it, so that the removal of an operator still takes effect.
    public void record(Map<String, Operator> before, Map<String, Operator> after) {
        List<AuditEvent> events = new ArrayList<>();
        for (String name : new TreeSet<>(before.keySet())) {
            if (!after.containsKey(name)) {
                events.add(AuditEvent.of(clock.instant(), RELOAD, What.OPERATOR_REMOVE, name, Map.of()));
            }
        }
        new TreeMap<>(after).forEach((name, operator) -> {
            if (!operator.equals(before.get(name))) {
                Map<String, String> detail = Map.of("role", operator.role().label());
                events.add(AuditEvent.of(clock.instant(), RELOAD, What.OPERATOR_ADD, name, detail));
            }
        });
        try {
            audit.record(events);
        } catch (IOException e) {
            LOG.error("audit: changes of operators not recorded: {}", IoText.describe(e));
        }
    }
}
