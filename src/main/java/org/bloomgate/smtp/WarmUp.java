package org.bloomgate.smtp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.bloomgate.background.Background;
import org.bloomgate.disk.IoText;
import org.bloomgate.rehearsal.MadeUpClient;
import org.bloomgate.rehearsal.MadeUpMail;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes made-up mail through the code of the relay, so that the JVM compiles it before the first real mail comes. It
/// ends with the first real session, when its time is over or its mails are through, and leaves half of one core to
/// others. The mail goes through a relay of its own, [WarmUpRelay].
final class WarmUp {
    /// More change nothing: by then what mail makes busy is compiled.
    private static final int MOST_MAILS = 10_000;

    private static final Duration LONGEST_NAP = Duration.ofMillis(50);
    private static final Path CPU_MAX = Path.of("/sys/fs/cgroup/cpu.max");
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

    private final Collaborators beside;
    private final BooleanSupplier mailHasCome;
    private final MadeUpMail mails = new MadeUpMail();

    WarmUp(Collaborators beside, BooleanSupplier mailHasCome) {
        this.beside = beside;
        this.mailHasCome = mailHasCome;
    }

    /// Empty when the options say so, or when there is less than a core to compile on.
    static Optional<Background> start(Collaborators relays, Duration time, BooleanSupplier mailHasCome) {
        return time.isZero() || !holdsWholeCore(CPU_MAX)
                ? Optional.empty()
                : Optional.of(Background.start("warm-up", () -> new WarmUp(relays, mailHasCome).run(time)));
    }

    /// Whether a quota in the form of Linux' control groups, `max 100000` or `50000 100000`, leaves one. Without one
    /// nothing is known against it.
    static boolean holdsWholeCore(Path quota) {
        try {
            String[] words = Files.readString(quota).strip().split(" ", -1);
            return words.length != 2 || words[0].equals("max") || Long.parseLong(words[0]) >= Long.parseLong(words[1]);
        } catch (IOException | NumberFormatException unknown) {
            return true;
        }
    }

    void run(Duration time) throws InterruptedException {
        long began = System.nanoTime();
        int taken = 0;
        try (WarmUpRelay relay = new WarmUpRelay(beside)) {
            MadeUpClient client = new MadeUpClient(relay.port());
            for (int i = 0;
                    i < MOST_MAILS && System.nanoTime() - began < time.toNanos() && !mailHasCome.getAsBoolean();
                    i++) {
                long mailBegan = System.nanoTime();
                taken += client.play(mails.session()).startsWith("250") ? 1 : 0;
                Thread.sleep(Duration.ofNanos(Math.min(LONGEST_NAP.toNanos(), System.nanoTime() - mailBegan)));
            }
        } catch (IOException fault) {
            LOG.warn("warm-up: {}", IoText.told(fault));
        }
        LOG.info(
                "warmed up with {} made-up messages in {} ms{}",
                taken,
                (System.nanoTime() - began) / 1_000_000,
                mailHasCome.getAsBoolean() ? ", until the first session" : "");
    }
}
