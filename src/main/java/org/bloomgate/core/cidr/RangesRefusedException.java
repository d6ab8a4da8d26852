package org.bloomgate.core.cidr;

/// A file of ranges that must not be asked: the message names what is wrong with it.
public final class RangesRefusedException extends Exception {
    private static final long serialVersionUID = 1;

    RangesRefusedException(String reason) {
        super(reason);
    }
}
