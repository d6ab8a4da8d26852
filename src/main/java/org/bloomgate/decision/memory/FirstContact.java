package org.bloomgate.decision.memory;

import org.bloomgate.base.config.Labelled;

/// How new a sender is to the recipients of a message; with several recipients, to all of them.
public enum FirstContact implements Labelled {
    /// Not a first contact: a recipient has received mail from the address, or has written to it; or unknown.
    NONE,
    /// No recipient has received mail from the address, but one has from its domain.
    RECIPIENT,
    /// No recipient has received mail from its domain.
    DOMAIN
}
