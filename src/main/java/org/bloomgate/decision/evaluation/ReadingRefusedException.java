package org.bloomgate.decision.evaluation;

import java.io.IOException;

/// Thrown if a message cannot be read at the moment for lack of threads or memory. It is deferred, whatever the policy
/// is.
public final class ReadingRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    ReadingRefusedException(String why) {
        super(why);
    }
}
