package org.bloomgate.base.net;

import java.io.IOException;

/// Thrown if an address of the configuration cannot be listened on: it is in use, is not an address of this
/// machine, or is not permitted.
public final class CannotListenException extends IOException {
    private static final long serialVersionUID = 1;

    /// @param key of the configuration
    /// @param address as configured
    /// @param why the exception; the message of the operating system is in its deepest cause
    public CannotListenException(String key, Object address, Throwable why) {
        super(
                key + ": cannot listen on " + address + ": " + findReason(why) + "; --set " + key
                        + "=ADDRESS names another one, port 0 picks a free one",
                why);
    }

    private static String findReason(Throwable fault) {
        Throwable cause = fault;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
