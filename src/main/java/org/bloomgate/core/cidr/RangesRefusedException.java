package org.bloomgate.core.cidr;

/// Thrown for a file of ranges that must not be used; the message has the reason.
public final class RangesRefusedException extends Exception {
    private static final long serialVersionUID = 1;

    RangesRefusedException(String reason) {
        super(reason);
    }
}
