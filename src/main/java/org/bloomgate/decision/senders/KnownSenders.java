package org.bloomgate.decision.senders;

import java.net.InetAddress;
import java.util.Collection;
import java.util.Optional;

/// Remembers the senders of each recipient's mail. Addresses are canonical. Thread-safe; never waits for a
/// disk.
public interface KnownSenders extends AutoCloseable {

    /// False if nothing is remembered, so that no lookup is needed.
    boolean isActive();

    /// Returns how new the sender is to the recipients.
    FirstContact firstContact(Collection<String> recipients, String sender);

    /// Records that a clean message was delivered.
    ///
    /// @param client that sent it; bounds how many new senders one client can add; empty for users
    void remember(String recipient, String sender, Optional<InetAddress> client);

    /// Remembered pairs of recipient and sender.
    long countPairs();

    /// Pairs not remembered since the start, because of a bound or a full disk.
    long countForgotten();

    @Override
    void close();

    /// Remembers nothing.
    static KnownSenders none() {
        return new KnownSenders() {
            @Override
            public boolean isActive() {
                return false;
            }

            @Override
            public FirstContact firstContact(Collection<String> recipients, String sender) {
                return FirstContact.NONE;
            }

            @Override
            public void remember(String recipient, String sender, Optional<InetAddress> client) {}

            @Override
            public long countPairs() {
                return 0;
            }

            @Override
            public long countForgotten() {
                return 0;
            }

            @Override
            public void close() {}
        };
    }
}
