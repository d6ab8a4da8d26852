package org.bloomgate.decision.senders;

/// How new a sender is to the recipients of a message; with several recipients, to all of them.
public enum FirstContact {
    /// Not a first contact: a recipient has received mail from the address, or has written to it; or unknown.
    NONE("none"),
    /// No recipient has received mail from the address, but one has from its domain.
    RECIPIENT("recipient"),
    /// No recipient has received mail from its domain.
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
