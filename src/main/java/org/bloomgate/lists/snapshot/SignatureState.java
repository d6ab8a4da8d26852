package org.bloomgate.lists.snapshot;

/// The state of a snapshot's signature.
public enum SignatureState {
    UNSIGNED("none"),
    /// There is a signature, and no key to check it with.
    UNCHECKED("unchecked"),
    /// Signed by one of the trusted keys.
    VERIFIED("verified");

    private final String label;

    SignatureState(String label) {
        this.label = label;
    }

    /// Its name in JSON and text.
    public String label() {
        return label;
    }
}
