package org.bloomgate.server.dns;

/// The categories whose listings may reject mail: a zone lists them with its default address, others only with
/// a code of their own. Thread-safe.
@FunctionalInterface
public interface RejectedCategories {
    boolean rejects(String category);
}
