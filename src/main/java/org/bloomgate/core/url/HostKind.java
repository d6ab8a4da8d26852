package org.bloomgate.core.url;

/// The kind of a [Host]. Only a name has parents.
public enum HostKind {
    NAME,
    IPV4,
    IPV6
}
