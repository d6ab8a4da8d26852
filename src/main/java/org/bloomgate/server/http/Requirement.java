package org.bloomgate.server.http;

/// The requirement of a route: its group is open, or the token has a role.
public sealed interface Requirement permits RouteGroup, Role {}
