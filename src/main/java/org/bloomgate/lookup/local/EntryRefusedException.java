package org.bloomgate.lookup.local;

/// What an operator asked for cannot be done; the message says why and what to do instead.
public final class EntryRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    public EntryRefusedException(String message) {
        super(message);
    }
}
