package org.bloomgate.decision.keyjournal;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Instant;
import java.time.InstantSource;
import org.bloomgate.base.io.Token;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;

/// Records messages with one link each, for the tests of other packages.
public final class Deliveries {
    private Deliveries() {}

    /// Messages of as many client networks to as many recipients.
    ///
    /// @param host that each of them links to
    public static void record(KeyJournalOptions options, Instant time, int mails, String host) throws IOException {
        record(options, time, mails, mails, mails, host);
    }

    /// @param networks of clients, at most 1,024, in turn
    /// @param recipients in turn
    public static void record(
            KeyJournalOptions options, Instant time, int mails, int networks, int recipients, String host)
            throws IOException {
        try (HourlyKeyJournal journal = new HourlyKeyJournal(options, InstantSource.fixed(time))) {
            KeyBatch batch = new KeyBatch();
            batch.begin(new Identifier(KeyKind.DOMAIN, host, Place.LINK, "link"));
            batch.append(host).endKey(KeyKind.DOMAIN, true);
            for (int i = 0; i < mails; i++) {
                MailKeys keys = journal.begin().orElseThrow();
                int network = i % networks;
                int block = (host.hashCode() & 0x3f) << 2 | network >> 8;
                keys.setClient(InetAddress.ofLiteral("10." + block + "." + (network & 0xff) + ".1"));
                keys.setRecipient(host + (i % recipients) + "@dest.example");
                keys.add(batch);
                journal.record(Token.generate(), time, keys);
            }
        }
    }
}
