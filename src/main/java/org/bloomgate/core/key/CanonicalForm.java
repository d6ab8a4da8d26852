package org.bloomgate.core.key;

/// The version of the canonical form, which is stored in snapshots: a snapshot with another version is
/// rejected.
public final class CanonicalForm {
    /// Increased whenever an input may give other keys than before.
    public static final int VERSION = 2;

    private CanonicalForm() {}
}
