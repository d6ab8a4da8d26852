package org.bloomgate.lists.layer;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Measures the time of each stage and the largest heap, and passes the progress on to a display. Ends the work
/// at the next tick when the process is to stop.
public final class RebuildClock implements RebuildProgress {
    private final RebuildProgress display;
    private final Interruption interruption;
    private final Map<RebuildStage, Long> nanos = new EnumMap<>(RebuildStage.class);
    private Optional<RebuildStage> stage = Optional.empty();
    private long since;
    private long peakHeapBytes;

    public RebuildClock(RebuildProgress display, Interruption interruption) {
        this.display = display;
        this.interruption = interruption;
    }

    @Override
    public void begin(RebuildStage next, String what) {
        endStage();
        stage = Optional.of(next);
        display.begin(next, what);
        tick();
    }

    @Override
    public void advance(long done, long total) {
        display.advance(done, total);
        tick();
    }

    private void tick() {
        Runtime runtime = Runtime.getRuntime();
        peakHeapBytes = Math.max(peakHeapBytes, runtime.totalMemory() - runtime.freeMemory());
        interruption.check();
    }

    private void endStage() {
        long now = System.nanoTime();
        stage.ifPresent(ended -> nanos.merge(ended, now - since, Long::sum));
        since = now;
    }

    /// The time of each stage up to now.
    public List<RebuildReport.StageTime> listStages() {
        endStage();
        return nanos.entrySet().stream()
                .map(entry -> new RebuildReport.StageTime(entry.getKey(), entry.getValue() / 1e9))
                .toList();
    }

    /// Largest heap in use at any tick, garbage included.
    public long peakHeapBytes() {
        return peakHeapBytes;
    }
}
