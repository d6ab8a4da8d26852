package org.bloomgate.decision.senders;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;

/// Mail of a year whose first contacts are known: people who get mail, and write some, each with senders of their own,
/// four of a domain. What a ring tells is compared with the truth, mail by mail.
final class ContactYear {
    static final Instant BEGIN = Instant.parse("2026-01-08T12:00:00Z");
    static final int FIRST_DAY = (int) RotatingKnownSenders.LEARNING_PERIOD.toDays();
    static final int DAYS = 364;

    private static final ThreadMXBean THREAD = ManagementFactory.getThreadMXBean();
    private static final int SENDERS_OF_DOMAIN = 4;

    /// Of this many messages one is written by the recipient.
    private static final int ONE_IN_WRITTEN = 5;

    private final int senders;
    private final int pairs;
    private final SplittableRandom random = new SplittableRandom(7);
    private final BitSet met = new BitSet();
    private final BitSet domains = new BitSet();
    private final BitSet solicited = new BitSet();
    int firsts;
    int missed;

    /// Told to be new although known, or newer than they are.
    int wrong;

    int answers;
    int answersTold;

    ContactYear(int recipients, int senders) {
        this.senders = senders;
        this.pairs = recipients * senders;
    }

    static Instant noonOf(int day) {
        return BEGIN.plus(Duration.ofDays(day));
    }

    /// The messages of a day.
    ///
    /// @param queried whether the ring saw them; else they only happened
    void day(RotatingKnownSenders ring, int mails, boolean queried) {
        for (int i = 0; i < mails; i++) {
            int pair = random.nextInt(pairs);
            boolean written = random.nextInt(ONE_IN_WRITTEN) == 0;
            String recipient = "r" + pair / senders + "@corp.example";
            String sender = "s" + pair + "@d" + pair / SENDERS_OF_DOMAIN + ".example";
            if (queried && !written) {
                compare(ring.firstContact(List.of(recipient), sender), pair);
            }
            if (queried) {
                ring.remember(recipient, sender, Optional.empty());
            }
            met.set(pair);
            domains.set(pair / SENDERS_OF_DOMAIN);
            solicited.set(pair, written || solicited.get(pair));
        }
    }

    private void compare(FirstContact told, int pair) {
        FirstContact truth = met.get(pair)
                ? FirstContact.NONE
                : domains.get(pair / SENDERS_OF_DOMAIN) ? FirstContact.RECIPIENT : FirstContact.DOMAIN;
        firsts += truth == FirstContact.NONE ? 0 : 1;
        missed += told.compareTo(truth) < 0 ? 1 : 0;
        wrong += told.compareTo(truth) > 0 ? 1 : 0;
        answers += solicited.get(pair) ? 1 : 0;
        answersTold += solicited.get(pair) && told != FirstContact.NONE ? 1 : 0;
    }

    /// Lives through the days from one to another, prints what was seen on a line, and waits to be killed.
    ///
    /// @param args folder, first day, day behind the last, messages a day, recipients, senders of each
    public static void main(String[] args) throws IOException {
        int from = Integer.parseInt(args[1]);
        int to = Integer.parseInt(args[2]);
        int mails = Integer.parseInt(args[3]);
        ContactYear year = new ContactYear(Integer.parseInt(args[4]), Integer.parseInt(args[5]));
        int[] today = {from};
        RotatingKnownSenders ring = new RotatingKnownSenders(Path.of(args[0]), () -> noonOf(today[0]));
        long nanos = 0;
        for (int day = FIRST_DAY; day < to; day++) {
            today[0] = Math.max(from, day);
            long began = THREAD.getCurrentThreadCpuTime();
            year.day(ring, mails, day >= from);
            nanos += day >= from ? THREAD.getCurrentThreadCpuTime() - began : 0;
        }
        double micros = nanos / 1e3 / Math.max(1, (long) (to - Math.max(from, FIRST_DAY)) * mails);
        System.out.printf(
                Locale.ROOT,
                "%d\t%d\t%d\t%d\t%d\t%d\t%.2f%n",
                year.firsts,
                year.missed,
                year.wrong,
                year.answers,
                year.answersTold,
                ring.memoryBytes(),
                micros);
        System.out.flush();
        while (System.in.read() >= 0) {}
    }
}
