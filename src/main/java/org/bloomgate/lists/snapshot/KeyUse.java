package org.bloomgate.lists.snapshot;

/// The statements that a trusted key may sign.
enum KeyUse {
    /// Manifests and confirmations: the lists. May be kept offline.
    MANIFEST("manifest"),
    /// The published state. Its key is on the publishing machine; a thief can publish again what was signed
    /// before, and no more.
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
