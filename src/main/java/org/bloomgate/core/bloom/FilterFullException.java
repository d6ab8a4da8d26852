package org.bloomgate.core.bloom;

/// Thrown when a filter of fixed size gets more keys than its capacity, or when its seed places too many keys
/// in one shard.
public final class FilterFullException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    FilterFullException(String message) {
        super(message);
    }
}
