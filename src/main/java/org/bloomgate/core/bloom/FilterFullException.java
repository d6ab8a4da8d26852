package org.bloomgate.core.bloom;

/// More keys come than a filter was made for, or keys that its seed does not spread, of a layout that takes no more.
public final class FilterFullException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    FilterFullException(String message) {
        super(message);
    }
}
