package org.bloomgate.core.key;

/// The version of the canonical form, which snapshots carry: one built with another version is refused.
public final class CanonicalForm {
    /// Raised whenever an input may give other keys than before.
    public static final int VERSION = 2;

    private CanonicalForm() {}
}
