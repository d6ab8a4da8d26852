package org.bloomgate.decision.authentication;

/// The authentication of a message's sender, and for which parts of the message it holds.
///
/// @param ofMailFrom for which parts the reverse-path is authenticated
/// @param ofFrom for which parts the address in From is authenticated
public record AuthenticationOutcome(Authentication authentication, Coverage ofMailFrom, Coverage ofFrom) {}
