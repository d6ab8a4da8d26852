package org.bloomgate.core.cidr;

/// A file of ranges that must not be used: the message names the fault.
public final class RangesRefusedException extends Exception {
    private static final long serialVersionUID = 1;

    RangesRefusedException(String reason) {
        super(reason);
    }
}
