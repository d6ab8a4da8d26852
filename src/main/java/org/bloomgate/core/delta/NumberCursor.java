package org.bloomgate.core.delta;

/// Walks ascending numbers. Not thread-safe.
public interface NumberCursor {
    /// Moves to the next number; false after the last one.
    ///
    /// @throws DeltaRefusedException if the bytes from here on are not a list, or not a change of the given list
    boolean next() throws DeltaRefusedException;

    /// The current number, above the one before as an unsigned number.
    long number();
}
