package org.bloomgate.lookup.lookup;

/// The hardest thing that a listing of a category, or of a feed, may lead to, from the mildest to the hardest. There
/// is no word for dropping mail in silence: a list alone never does that.
public enum Cap {
    PASS("pass"),
    TAG("tag"),
    QUARANTINE("quarantine"),
    DEFER("defer"),
    REJECT("reject");

    private final String label;

    Cap(String label) {
        this.label = label;
    }

    /// The word in configuration and manifests.
    public String label() {
        return label;
    }
}
