package org.bloomgate.decision.senders;

/// How new a sender is to the recipients of a message; of several recipients all have to agree.
public enum FirstContact {
    /// Somebody has had mail from the address, has written to it, or nobody knows yet.
    NONE("none"),
    /// No one has had mail from the address, but somebody from its domain.
    RECIPIENT("recipient"),
    /// No one has had mail from the whole domain.
    DOMAIN("domain");

    private final String label;

    FirstContact(String label) {
        this.label = label;
    }

    /// The word in header, JSON and journal.
    public String label() {
        return label;
    }
}
