package org.bloomgate.server.spool;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ObjLongConsumer;

/// The total duration of each stage of one transaction.
public final class StageClock {
    private static final double NANOS_PER_MILLI = 1e6;

    private final EnumMap<Stage, Long> nanos = new EnumMap<>(Stage.class);

    /// Adds the time since `began`, a value of [System#nanoTime()].
    public void add(Stage stage, long began) {
        nanos.merge(stage, System.nanoTime() - began, Long::sum);
    }

    void forEach(ObjLongConsumer<Stage> consumer) {
        nanos.forEach(consumer::accept);
    }

    /// Milliseconds by stage, to the microsecond.
    public Map<String, Double> millis() {
        Map<String, Double> millis = new HashMap<>();
        nanos.forEach((stage, time) -> millis.put(stage.label(), Math.rint(time / 1e3) * 1e3 / NANOS_PER_MILLI));
        return millis;
    }
}
