package org.bloomgate.lists.format;

import java.util.Set;

/// Names that cannot be registered (RFC 2606, RFC 6761, RFC 6762, and `internal`). In a list from the network
/// they are an example or a mistake. Files of the operator may list them for tests.
final class ReservedNames {
    private static final Set<String> NAMES = Set.of(
            "example",
            "test",
            "invalid",
            "localhost",
            "local",
            "internal",
            "example.com",
            "example.net",
            "example.org");

    private ReservedNames() {}

    /// The names, each of which includes everything below it.
    static Set<String> names() {
        return NAMES;
    }

    /// Whether a host is reserved.
    ///
    /// @param host in canonical form
    static boolean contain(String host) {
        int dot = host.lastIndexOf('.');
        return NAMES.contains(host.substring(dot + 1))
                || NAMES.contains(host.substring(host.lastIndexOf('.', dot - 1) + 1));
    }
}
