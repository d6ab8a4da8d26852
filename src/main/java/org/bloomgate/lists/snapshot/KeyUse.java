package org.bloomgate.lists.snapshot;

import org.bloomgate.base.config.Labelled;

/// The statements that a trusted key may sign.
/// The label is the word in the line above a key.
enum KeyUse implements Labelled {
    /// Manifests and confirmations: the lists. May be kept offline.
    MANIFEST,
    /// The published state. Its key is on the publishing machine; a thief of it can only publish again what was
    /// signed before.
    CURRENT
}
