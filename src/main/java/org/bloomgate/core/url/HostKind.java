package org.bloomgate.core.url;

/// What a [Host] is. Only a name has parents.
public enum HostKind {
    NAME,
    IPV4,
    IPV6
}
