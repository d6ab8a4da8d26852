package org.bloomgate.server.http;

import org.bloomgate.core.text.TextForms;

/// What the owner of a token may do. A route that requires a role requires [#NONE], or [#READER] or a later one,
/// each of which includes the one before.
public enum Role implements Requirement {
    NONE,
    /// An application that checks values.
    CLIENT,
    /// A mirror, a gateway without an exact tier, or Prometheus.
    FLEET,
    /// Sees everything but messages in quarantine, and changes nothing.
    READER,
    /// Opens, releases and deletes messages in quarantine.
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

    /// As configuration and API write it.
    public String label() {
        return TextForms.lowerCase(name());
    }
}
