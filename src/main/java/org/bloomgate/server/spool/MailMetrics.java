package org.bloomgate.server.spool;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.bloomgate.core.smtp.ReplyClass;
import org.bloomgate.decision.authentication.Authentication;
import org.bloomgate.decision.evaluation.DecisionDraft;
import org.bloomgate.decision.policy.Signal;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Verdict;

/// The metrics of decided messages of all listeners. Every meter is registered at start, so that it is exported
/// with 0 before the first message. Thread-safe.
public final class MailMetrics {
    /// Two bounds for each power of ten: inspecting a small message takes about 100 µs, and the final dot at a
    /// slow next hop takes seconds.
    private static final Duration[] HISTOGRAM_BOUNDS = {
        Duration.ofNanos(100_000),
        Duration.ofNanos(300_000),
        Duration.ofMillis(1),
        Duration.ofMillis(3),
        Duration.ofMillis(10),
        Duration.ofMillis(30),
        Duration.ofMillis(100),
        Duration.ofMillis(300),
        Duration.ofSeconds(1),
        Duration.ofSeconds(3),
        Duration.ofSeconds(10)
    };

    private final Map<Stage, Timer> stages = new EnumMap<>(Stage.class);
    private final Map<Outcome, Counter> messages = new HashMap<>();
    private final Map<Action, Counter> shadowed = new EnumMap<>(Action.class);
    private final Map<Action, Map<ReplyClass, Counter>> replies = new EnumMap<>(Action.class);
    private final FeedMetrics feeds;
    private final Counter bytes;
    private final MeterRegistry registry;

    private record Outcome(Verdict.Kind verdict, Action enforced) {}

    public MailMetrics(MeterRegistry registry) {
        this.registry = registry;
        Arrays.stream(Stage.values()).forEach(stage -> stages.put(stage, createTimer(registry, stage)));
        Arrays.stream(Action.values()).forEach(action -> registerCounters(registry, action));
        feeds = new FeedMetrics(registry);
        for (String mechanism : List.of("login", "results", "dkim", "spf")) {
            findAuthenticationCounter(mechanism, Authentication.Result.PASS);
        }
        List.of(Authentication.Result.FAIL, Authentication.Result.UNKNOWN)
                .forEach(result -> findAuthenticationCounter("", result));
        bytes = Counter.builder("bloomgate.message.bytes")
                .description("Bytes of messages received")
                .register(registry);
    }

    private static Timer createTimer(MeterRegistry registry, Stage stage) {
        return Timer.builder("bloomgate.stage")
                .description("Time of one stage of a mail transaction")
                .tag("stage", stage.label())
                .serviceLevelObjectives(HISTOGRAM_BOUNDS)
                .register(registry);
    }

    private void registerCounters(MeterRegistry registry, Action action) {
        for (Verdict.Kind verdict : Verdict.Kind.values()) {
            messages.put(
                    new Outcome(verdict, action),
                    Counter.builder("bloomgate.messages")
                            .description("Messages by verdict and by what was done with them")
                            .tags("verdict", verdict.label(), "action", action.label())
                            .register(registry));
        }
        for (Signal signal : Signal.values()) {
            findSignalCounter(signal, action);
        }
        Map<ReplyClass, Counter> byClass = new EnumMap<>(ReplyClass.class);
        for (ReplyClass replyClass : ReplyClass.values()) {
            byClass.put(
                    replyClass,
                    Counter.builder("bloomgate.replies")
                            .description("Messages by what was done with them and the class of the reply to them")
                            .tags("action", action.label(), "class", replyClass.label())
                            .register(registry));
        }
        replies.put(action, byClass);
        shadowed.put(
                action,
                Counter.builder("bloomgate.shadow.messages")
                        .description("Messages by what would have been done, were it not for shadow mode")
                        .tag("action", action.label())
                        .register(registry));
    }

    private Counter findSignalCounter(Signal signal, Action action) {
        return Counter.builder("bloomgate.signals")
                .description("Messages with something new to the memory, by what was done with them")
                .tags("signal", signal.label(), "action", action.label())
                .register(registry);
    }

    private Counter findAuthenticationCounter(String mechanism, Authentication.Result result) {
        return Counter.builder("bloomgate.authentications")
                .description("Senders that were authenticated because a decision depended on them")
                .tags("mechanism", mechanism, "result", result.label())
                .register(registry);
    }

    /// Counts a message, unless it ended before a decision.
    public void registerCounters(DecisionDraft draft, StageClock clock) {
        feeds.count(draft);
        draft.enforced().ifPresent(action -> {
            findCounter(messages, new Outcome(draft.verdict(), action)).increment();
            draft.signals().forEach(signal -> findSignalCounter(signal, action).increment());
            ReplyClass.of(draft.reply())
                    .ifPresent(replyClass -> findCounter(Objects.requireNonNull(replies.get(action)), replyClass)
                            .increment());
            draft.authentication()
                    .ifPresent(sender -> findAuthenticationCounter(sender.mechanism(), sender.result())
                            .increment());
            draft.findShadowAction()
                    .ifPresent(shadow -> findCounter(shadowed, shadow).increment());
            bytes.increment((double) draft.sizeBytes());
            clock.forEach(
                    (stage, nanos) -> Objects.requireNonNull(stages.get(stage)).record(nanos, TimeUnit.NANOSECONDS));
        });
    }

    /// The counter, which was registered at start.
    private static <K> Counter findCounter(Map<K, Counter> counters, K key) {
        return Objects.requireNonNull(counters.get(key));
    }
}
