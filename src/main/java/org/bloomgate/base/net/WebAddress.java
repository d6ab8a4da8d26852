package org.bloomgate.base.net;

import java.net.URI;
import java.net.URISyntaxException;

/// The address of a web server in the configuration: `http://HOST[:PORT]` or `https://HOST[:PORT]`, which a path may
/// follow. User, query and fragment are not part of it.
public final class WebAddress {
    private WebAddress() {}

    public static boolean isValid(String text) {
        try {
            URI uri = new URI(text);
            return ("http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme()))
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null;
        } catch (URISyntaxException _) {
            return false;
        }
    }

    /// @param key for the message, which does not repeat an address because that may contain a password
    /// @throws IllegalArgumentException if the address is not valid
    public static void requireValid(String key, String address) {
        if (!isValid(address)) {
            throw new IllegalArgumentException(
                    key + " must be http://HOST[:PORT] or https://HOST[:PORT], without user, query and fragment");
        }
    }
}
