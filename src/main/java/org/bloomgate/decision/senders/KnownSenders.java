package org.bloomgate.decision.senders;

import java.util.Collection;

/// Remembers the senders of each recipient's mail. Addresses are canonical. Thread-safe; never waits for a
/// disk.
public interface KnownSenders extends AutoCloseable {

    /// False if nothing is remembered, so that no lookup is needed.
    boolean active();

    /// How new the sender is to all of the recipients.
    FirstContact of(Collection<String> recipients, String sender);

    /// A clean mail was delivered.
    void met(String recipient, String sender);

    @Override
    void close();

    /// Remembers nothing.
    static KnownSenders none() {
        return new KnownSenders() {
            @Override
            public boolean active() {
                return false;
            }

            @Override
            public FirstContact of(Collection<String> recipients, String sender) {
                return FirstContact.NONE;
            }

            @Override
            public void met(String recipient, String sender) {}

            @Override
            public void close() {}
        };
    }
}
