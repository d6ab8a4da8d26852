package org.bloomgate.lookup.store;

import java.io.IOException;

/// Thrown if a store has bytes that this version does not write: it is damaged, or of another version.
public final class MalformedStoreException extends IOException {
    private static final long serialVersionUID = 1L;

    MalformedStoreException(String message) {
        super(message);
    }
}
