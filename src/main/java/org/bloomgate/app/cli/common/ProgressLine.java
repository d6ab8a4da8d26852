package org.bloomgate.app.cli.common;

import java.io.Console;
import java.text.DecimalFormat;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Consumer;
import me.tongfei.progressbar.DefaultProgressBarRenderer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import me.tongfei.progressbar.ProgressState;
import org.bloomgate.lists.layer.RebuildProgress;
import org.bloomgate.lists.layer.RebuildStage;

/// Shows the progress of a rebuild: a bar on a terminal; otherwise a line at the start of a stage and every
/// minute.
public sealed interface ProgressLine extends RebuildProgress, AutoCloseable {

    @Override
    void close();

    /// @param log takes the lines
    static ProgressLine on(Consumer<String> log, String layer) {
        boolean terminal =
                Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
        return terminal ? new Bar(layer) : new Lines(log, layer);
    }

    /// One bar, which starts again with every stage.
    final class Bar implements ProgressLine {
        private final ProgressBar bar;

        Bar(String layer) {
            this(new ProgressBarBuilder().setTaskName(layer).setUpdateIntervalMillis(200));
        }

        /// @param builder has the terminal
        Bar(ProgressBarBuilder builder) {
            this.bar = builder.setRenderer(new Renderer()).build();
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

    /// A percentage, a total and an estimate only where the total is known.
    final class Renderer extends DefaultProgressBarRenderer {
        Renderer() {
            super(
                    ProgressBarStyle.ASCII,
                    "",
                    1,
                    false,
                    new DecimalFormat(),
                    ChronoUnit.SECONDS,
                    true,
                    Renderer::remaining);
        }

        private static Optional<Duration> remaining(ProgressState state) {
            return state.isIndefinite() || state.getCurrent() == 0
                    ? Optional.empty()
                    : Optional.of(state.getElapsedAfterStart()
                            .multipliedBy(state.getMax() - state.getCurrent())
                            .dividedBy(state.getCurrent()));
        }

        @Override
        protected String percentage(ProgressState state) {
            return state.isIndefinite() ? "" : super.percentage(state);
        }

        @Override
        protected String ratio(ProgressState state) {
            return state.isIndefinite() ? Long.toString(state.getCurrent()) : super.ratio(state);
        }
    }

    /// Lines for a log.
    final class Lines implements ProgressLine {
        private static final Duration INTERVAL = Duration.ofMinutes(1);

        private final Consumer<String> log;
        private final String layer;
        private String stage = "";
        private long next = System.nanoTime() + INTERVAL.toNanos();

        Lines(Consumer<String> log, String layer) {
            this.log = log;
            this.layer = layer;
        }

        @Override
        public void begin(RebuildStage newStage, String what) {
            if (!stage.equals(newStage.label())) {
                stage = newStage.label();
                log.accept("rebuild " + layer + ": " + stage);
            }
        }

        @Override
        public void advance(long done, long total) {
            if (System.nanoTime() - next >= 0) {
                next = System.nanoTime() + INTERVAL.toNanos();
                log.accept("rebuild " + layer + ": " + stage + " " + done + (total < 0 ? "" : " of " + total));
            }
        }

        @Override
        public void close() {}
    }
}
