package org.bloomgate.core.url;

/// Sees what each step of the canonical form leaves, for `explain`.
@FunctionalInterface
public interface Trace {
    Trace NONE = (step, bytes, from, to) -> {};

    /// @param bytes changed by later steps: what is to be kept must be copied
    void after(String step, byte[] bytes, int from, int to);
}
