package org.bloomgate.server.dns;

/// Which categories of listings refuse mail: a zone tells of them by its default address, of others only by a code of
/// their own. Thread-safe.
@FunctionalInterface
public interface RefusedCategories {
    boolean refuses(String category);
}
