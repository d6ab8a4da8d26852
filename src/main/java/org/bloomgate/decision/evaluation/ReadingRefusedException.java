package org.bloomgate.decision.evaluation;

import java.io.IOException;

/// A message cannot be read at the moment, for want of threads or memory: it is deferred, whatever the policy.
public final class ReadingRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    ReadingRefusedException(String why) {
        super(why);
    }
}
