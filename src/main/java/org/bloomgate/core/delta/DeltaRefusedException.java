package org.bloomgate.core.delta;

import java.io.IOException;

/// Bytes that are no list, or no change of the list at hand. The message is fit for a log.
public final class DeltaRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    DeltaRefusedException(String reason) {
        super(reason);
    }
}
