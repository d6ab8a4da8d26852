package org.bloomgate.core.bloom;

/// A filter file that must not be used: the message names the fault.
public final class FilterRefusedException extends Exception {
    private static final long serialVersionUID = 1;

    FilterRefusedException(String reason) {
        super(reason);
    }
}
