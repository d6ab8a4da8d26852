package org.bloomgate.server.http;

import org.bloomgate.base.config.Labelled;

/// The rights of a token. A route that requires a role requires [#NONE], or [#FLEET] or a later one; each of
/// these includes the roles before it.
public enum Role implements Requirement, Labelled {
    NONE,
    /// An application that checks values.
    CLIENT,
    /// A mirror, a gateway without an exact tier or of the same group, or Prometheus.
    FLEET,
    /// May read everything except messages in quarantine, and change nothing.
    READER,
    /// May also read, release and delete messages in quarantine.
    QUARANTINE,
    ADMIN;

    public boolean meets(Requirement requirement) {
        return switch (requirement) {
            case Role least -> compareTo(least) >= 0;
            case RouteGroup group -> includes(group);
        };
    }

    private boolean includes(RouteGroup group) {
        return switch (group) {
            case CHECK, PASSWORDS, MESSAGES -> this != NONE;
            case METRICS -> compareTo(FLEET) >= 0;
            case STATUS -> compareTo(READER) >= 0;
            case SNAPSHOTS, LOOKUP -> this == FLEET || this == ADMIN;
            case AUTO -> false;
        };
    }
}
