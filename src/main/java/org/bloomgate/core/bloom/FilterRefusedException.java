package org.bloomgate.core.bloom;

/// Thrown for a filter file that must not be used; the message has the reason.
public final class FilterRefusedException extends Exception {
    private static final long serialVersionUID = 1;

    public FilterRefusedException(String reason) {
        super(reason);
    }
}
