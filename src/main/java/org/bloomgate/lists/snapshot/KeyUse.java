package org.bloomgate.lists.snapshot;

/// The statements that a trusted key may sign.
enum KeyUse {
    /// Manifests and confirmations: the lists. May be kept offline.
    MANIFEST("manifest"),
    /// The published state. Its key is on the publishing machine; a thief of it can only publish again what was
    /// signed before.
    CURRENT("current");

    private final String label;

    KeyUse(String label) {
        this.label = label;
    }

    /// The word in the line above a key.
    String label() {
        return label;
    }
}
