package org.bloomgate.lookup.local;

/// An operator's change that is refused; the message says why and what to do instead.
public final class EntryRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    public EntryRefusedException(String message) {
        super(message);
    }
}
