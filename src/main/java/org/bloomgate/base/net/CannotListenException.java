package org.bloomgate.base.net;

import java.io.IOException;

/// The address of a key cannot be listened on: it is taken, or not of this machine, or not ours to take.
public final class CannotListenException extends IOException {
    private static final long serialVersionUID = 1;

    /// @param key of the configuration
    /// @param address as configured
    /// @param why whatever was thrown; the system's own word is its deepest cause
    public CannotListenException(String key, Object address, Throwable why) {
        super(
                key + ": cannot listen on " + address + ": " + reason(why) + "; --set " + key
                        + "=ADDRESS names another one, port 0 picks a free one",
                why);
    }

    private static String reason(Throwable fault) {
        Throwable said = fault;
        while (said.getCause() != null) {
            said = said.getCause();
        }
        return said.getMessage() == null ? said.getClass().getSimpleName() : said.getMessage();
    }
}
