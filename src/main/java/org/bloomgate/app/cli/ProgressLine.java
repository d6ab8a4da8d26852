package org.bloomgate.app.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.bloomgate.lists.build.RebuildProgress;
import org.bloomgate.lists.build.RebuildStage;

/// Shows how far a rebuild is: a bar on a terminal; otherwise a line when a stage begins and one a minute.
public sealed interface ProgressLine extends RebuildProgress, AutoCloseable {

    @Override
    void close();

    static ProgressLine on(PrintWriter err, String layer) {
        boolean terminal =
                Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
        return terminal ? new Bar(layer) : new Lines(err, layer);
    }

    /// One bar, which begins again with every stage.
    final class Bar implements ProgressLine {
        private final ProgressBar bar;

        Bar(String layer) {
            this.bar = new ProgressBarBuilder()
                    .setTaskName(layer)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setUpdateIntervalMillis(200)
                    .build();
        }

        @Override
        public void begin(RebuildStage stage, String what) {
            bar.reset();
            bar.maxHint(-1);
            bar.setExtraMessage(" " + stage.label() + " " + what);
        }

        @Override
        public void advance(long done, long total) {
            bar.maxHint(total);
            bar.stepTo(done);
        }

        @Override
        public void close() {
            bar.close();
        }
    }

    /// Lines for a log.
    final class Lines implements ProgressLine {
        private static final Duration INTERVAL = Duration.ofMinutes(1);

        private final PrintWriter err;
        private final String layer;
        private String stage = "";
        private long next = System.nanoTime() + INTERVAL.toNanos();

        Lines(PrintWriter err, String layer) {
            this.err = err;
            this.layer = layer;
        }

        @Override
        public void begin(RebuildStage begun, String what) {
            if (!stage.equals(begun.label())) {
                stage = begun.label();
                err.println("rebuild " + layer + ": " + stage);
            }
        }

        @Override
        public void advance(long done, long total) {
            if (System.nanoTime() - next >= 0) {
                next = System.nanoTime() + INTERVAL.toNanos();
                err.println("rebuild " + layer + ": " + stage + " " + done + (total < 0 ? "" : " of " + total));
            }
        }

        @Override
        public void close() {}
    }
}
