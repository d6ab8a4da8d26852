package org.bloomgate.decision.keyjournal;

import java.io.IOException;
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

    /// @param host that each of them links to
    public static void record(KeyJournalOptions options, Instant time, int mails, String host) throws IOException {
        try (HourlyKeyJournal journal = new HourlyKeyJournal(options, InstantSource.fixed(time))) {
            KeyBatch batch = new KeyBatch();
            batch.begin(new Identifier(KeyKind.DOMAIN, host, Place.LINK, "link"));
            batch.append(host).endKey(KeyKind.DOMAIN, true);
            for (int i = 0; i < mails; i++) {
                MailKeys keys = journal.begin().orElseThrow();
                keys.add(batch);
                journal.record(Token.generate(), time, keys);
            }
        }
    }
}
