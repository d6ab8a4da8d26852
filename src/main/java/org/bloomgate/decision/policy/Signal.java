package org.bloomgate.decision.policy;

import org.bloomgate.base.config.Labelled;

/// A fact of the memory that may have an action.
public enum Signal implements Labelled {
    /// A link domain that is not known.
    NEW_LINK("newLink"),
    /// The same, and no recipient knows the domain of the sender, or the sender is not authenticated.
    NEW_LINK_OF_STRANGER("newLinkOfStranger");

    private final String label;

    Signal(String label) {
        this.label = label;
    }

    @Override
    public String label() {
        return label;
    }
}
