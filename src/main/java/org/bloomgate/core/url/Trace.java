package org.bloomgate.core.url;

/// Receives the result of each step of the canonicalization, for `explain`.
@FunctionalInterface
public interface Trace {
    Trace NONE = (step, bytes, from, to) -> {};

    /// Called after each step.
    ///
    /// @param bytes later steps change them, so they must be copied if they are kept
    void after(String step, byte[] bytes, int from, int to);
}
