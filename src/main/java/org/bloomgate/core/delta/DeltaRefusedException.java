package org.bloomgate.core.delta;

import java.io.IOException;

/// Thrown for bytes that are not a list, or not a change of the given list. The message can be logged.
public final class DeltaRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    DeltaRefusedException(String reason) {
        super(reason);
    }
}
