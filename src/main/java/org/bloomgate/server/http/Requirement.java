package org.bloomgate.server.http;

/// What a route requires of a request: its group, or a role.
public sealed interface Requirement permits RouteGroup, Role {}
