package org.bloomgate.lookup.tier;

/// Called if a filter in use cannot be read: its mapped file was truncated, or the disk fails. Called on the
/// thread of the lookup, for every batch of keys; must not throw.
@FunctionalInterface
public interface UnreadableFilter {

    void report(Layer layer, InternalError fault);
}
