package org.bloomgate.decision.keyjournal;

import java.time.Instant;
import java.util.Optional;

/// Records the keys of recently delivered messages, as hashes that reveal nothing without the installation key. Never
/// waits for a disk. Thread-safe.
public interface KeyJournal extends AutoCloseable {

    /// Returns a buffer for the keys of one message, or nothing while no message is recorded.
    Optional<MailKeys> begin();

    /// Records the keys of a delivered message. The caller must not use the buffer any more.
    void record(String token, Instant time, MailKeys keys);

    /// Messages that were not recorded, since the start.
    long dropped();

    /// Records of messages that were deleted before their time to stay within the bound, since the start.
    long evicted();

    @Override
    void close();

    /// Records nothing.
    static KeyJournal none() {
        return new KeyJournal() {
            @Override
            public Optional<MailKeys> begin() {
                return Optional.empty();
            }

            @Override
            public void record(String token, Instant time, MailKeys keys) {}

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
