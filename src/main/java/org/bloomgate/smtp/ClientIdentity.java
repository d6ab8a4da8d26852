package org.bloomgate.smtp;

/// Who the SMTP client is, as the next hop may be told with XFORWARD.
///
/// @param address IP address in text
/// @param port of the client, 0 when unknown
/// @param name host name as a trusted upstream gave it, empty when unknown
/// @param helo the argument of HELO or EHLO, empty before it
/// @param protocol `SMTP`, `ESMTP`, ... as in the Received field
public record ClientIdentity(String address, int port, String name, String helo, String protocol) {}
