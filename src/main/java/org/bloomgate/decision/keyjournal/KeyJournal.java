package org.bloomgate.decision.keyjournal;

import java.time.Instant;
import java.util.Optional;

/// Remembers which keys recently delivered mail held, as hashes that say nothing without the installation key. Never
/// waits for a disk. Thread-safe.
public interface KeyJournal extends AutoCloseable {

    /// An empty buffer for one message; empty when nothing is recorded at the moment.
    Optional<MailKeys> begin();

    /// Takes the keys of a message that was delivered; the buffer is the journal's from then on.
    void delivered(String token, Instant time, MailKeys keys);

    /// Messages that were not recorded, since the start.
    long dropped();

    /// Records of messages that were deleted before their time to stay within the bound, since the start.
    long evicted();

    @Override
    void close();

    /// Remembers nothing.
    static KeyJournal none() {
        return new KeyJournal() {
            @Override
            public Optional<MailKeys> begin() {
                return Optional.empty();
            }

            @Override
            public void delivered(String token, Instant time, MailKeys keys) {}

            @Override
            public long dropped() {
                return 0;
            }

            @Override
            public long evicted() {
                return 0;
            }

            @Override
            public void close() {}
        };
    }
}
