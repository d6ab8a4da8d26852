package org.bloomgate.lists.format;

import java.util.Set;

/// Names that nobody can register (RFC 2606, RFC 6761, RFC 6762, and `internal`): in a list from the network they are
/// an example or a mistake. Files of the operator may list them, to try something out.
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

    /// Each with everything below it.
    static Set<String> names() {
        return NAMES;
    }

    /// @param host in canonical form
    static boolean hold(String host) {
        int dot = host.lastIndexOf('.');
        return NAMES.contains(host.substring(dot + 1))
                || NAMES.contains(host.substring(host.lastIndexOf('.', dot - 1) + 1));
    }
}
