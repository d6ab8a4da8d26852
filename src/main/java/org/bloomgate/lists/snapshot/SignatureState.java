package org.bloomgate.lists.snapshot;

import org.bloomgate.base.config.Labelled;

/// The state of a snapshot's signature.
public enum SignatureState implements Labelled {
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
    @Override
    public String label() {
        return label;
    }
}
