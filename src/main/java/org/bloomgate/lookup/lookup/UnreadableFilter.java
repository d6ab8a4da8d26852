package org.bloomgate.lookup.lookup;

/// Is told when a filter in force cannot be read: its mapped file was cut short, or the disk fails. Called on the
/// thread of the lookup, for every batch of keys; must not throw.
@FunctionalInterface
public interface UnreadableFilter {

    void of(Layer layer, InternalError fault);
}
