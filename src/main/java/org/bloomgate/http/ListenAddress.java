package org.bloomgate.http;

/// Where to listen. Not the SMTP listener's of that name: an empty host, which there means every interface, is refused
/// here, where the admin API is, and nobody asks whether the address is a loopback one. Rooms of one floor share no
/// types but through a door, and some ten lines are no reason for one.
///
/// @param host name or address without brackets
record ListenAddress(String host, int port) {

    /// @param text `host:port`, an IPv6 address in brackets
    /// @throws IllegalArgumentException when it is not
    static ListenAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        String port = text.substring(colon + 1);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        boolean hostOk = bracketed || (!host.isEmpty() && host.indexOf(':') < 0);
        if (!hostOk || !port.matches("\\d{1,5}") || Integer.parseInt(port) > 65_535) {
            throw new IllegalArgumentException(
                    "http.listen: '" + text + "' is not host:port (as 127.0.0.1:8080 or [::1]:8080)");
        }
        return new ListenAddress(bracketed ? host.substring(1, host.length() - 1) : host, Integer.parseInt(port));
    }
}
