package org.bloomgate.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

/// Writes a journal of the last day, with its indexes, as a gateway would: one in ten mails is listed, one in a hundred
/// by a feed on trial. A long form of the acceptance checks runs it, as it writes gigabytes.
final class ManyDecisions {
    private static final Duration DAY = Duration.ofHours(23);
    private static final int AT_ONCE = 1_000;
    private static final int MAILBOXES = 500_000;
    private static final int DOMAINS = 20_000;
    private static final int HOSTS = 50_000;

    private final Random chance = new Random(20260305);

    private ManyDecisions() {}

    /// @param args the directory, and how many
    public static void main(String[] args) throws IOException {
        new ManyDecisions().write(Path.of(args[0]), Long.parseLong(args[1]));
    }

    private void write(Path directory, long count) throws IOException {
        Instant start = Instant.now().minus(DAY);
        AtomicReference<Instant> now = new AtomicReference<>(start);
        DayFileWriter writer = new DayFileWriter(
                new JournalOptions(directory, 14, 1L << 40, true, KeyJournalOptions.defaults()), now::get);
        List<Decision> batch = new ArrayList<>();
        for (long number = 0; number < count; number++) {
            now.set(start.plusMillis(DAY.toMillis() * number / count));
            batch.add(decision(number, now.get()));
            if (batch.size() == AT_ONCE || number == count - 1) {
                writer.append(batch);
                batch.clear();
            }
        }
        writer.close();
    }

    private Decision decision(long number, Instant time) {
        int kind = chance.nextInt(100);
        boolean trial = kind == 0;
        boolean listed = kind < 10 && !trial;
        int mailbox = chance.nextInt(MAILBOXES);
        String action = listed ? "reject" : "pass";
        return new Decision(
                time,
                "%012d".formatted(number),
                "192.0.2." + chance.nextInt(256),
                "mail.s" + mailbox % DOMAINS + ".example",
                "TLSv1.3 TLS_AES_256_GCM_SHA384",
                "user" + mailbox + "@s" + mailbox % DOMAINS + ".example",
                List.of("to" + chance.nextInt(5_000) + "@dest.example"),
                List.of(),
                "<" + number + "." + chance.nextLong() + "@s" + mailbox % DOMAINS + ".example>",
                "Re: your order " + number,
                "A Sender <user" + mailbox + "@s" + mailbox % DOMAINS + ".example>",
                10_000 + chance.nextInt(100_000),
                20,
                kind < 10 ? 1 : 0,
                kind < 10 ? List.of(found(trial ? "tried" : "sample")) : List.of(),
                List.of(),
                List.of(),
                List.of(),
                kind < 10 ? "listed" : "clean",
                action,
                action,
                listed ? "sample" : "",
                listed ? "phishing" : "",
                "",
                trial ? Map.of("tried", "reject") : Map.of(),
                listed ? "550 5.7.1 Message refused by policy" : "250 2.0.0 Ok: queued as 4XYZ",
                listed ? "" : "250 2.0.0 Ok: queued as 4XYZ",
                listed ? "" : "4XYZ" + number,
                "nightly/20260305T010203Z-1a2b",
                Map.of("read", 0.412, "lookup", 0.021, "deliver", 1.77));
    }

    private Decision.Found found(String feed) {
        String host = "h" + chance.nextInt(HOSTS) + ".example";
        return new Decision.Found(
                "domain", host, "link", "listed", host, "", feed, "phishing", Optional.of(Instant.EPOCH), "");
    }
}
