package org.bloomgate.lists.snapshot;

/// What a trusted key may sign.
enum KeyUse {
    /// Manifests and confirmations: what is listed. May be kept offline.
    MANIFEST("manifest"),
    /// What is current. Lies on the machine that publishes; who steals it can announce again what was signed, and no
    /// more.
    CURRENT("current");

    private final String label;

    KeyUse(String label) {
        this.label = label;
    }

    /// The word for it above a key.
    String label() {
        return label;
    }
}
