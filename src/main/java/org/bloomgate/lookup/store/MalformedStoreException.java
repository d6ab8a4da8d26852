package org.bloomgate.lookup.store;

import java.io.IOException;

/// The bytes in a store are not what this version writes: the store is damaged, or of another version.
public final class MalformedStoreException extends IOException {
    private static final long serialVersionUID = 1L;

    MalformedStoreException(String message) {
        super(message);
    }
}
