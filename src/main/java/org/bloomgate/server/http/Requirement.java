package org.bloomgate.server.http;

/// What a route requires: that its group is listed in `http.open`, or that the token has a role.
public sealed interface Requirement permits RouteGroup, Role {}
