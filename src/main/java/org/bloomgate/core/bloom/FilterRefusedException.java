package org.bloomgate.core.bloom;

/// A filter file that must not be asked: the message names what is wrong with it.
public final class FilterRefusedException extends Exception {
    private static final long serialVersionUID = 1;

    FilterRefusedException(String reason) {
        super(reason);
    }
}
