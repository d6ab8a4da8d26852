package org.bloomgate.core.delta;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// The sorted hashes of the keys of a filter, and a few whole keys of it as canaries. Its bytes are the whole list,
/// which is the change since the empty one, see [HashChange]. A list is walked and never in memory as a whole.
public interface HashList {
    /// The empty list.
    HashList EMPTY = new HashList() {
        @Override
        public long size() {
            return 0;
        }

        @Override
        public List<byte[]> canaries() {
            return List.of();
        }

        @Override
        public NumberCursor open() {
            return RiceList.NONE.open();
        }
    };

    /// The number of hashes.
    long size();

    /// The canaries, in their order in the filter.
    List<byte[]> canaries();

    /// Begins before the first hash; any number of cursors may be open.
    NumberCursor open();

    /// Reads a whole list.
    ///
    /// @param bytes accessible as long as the list is used
    static HashList read(MemorySegment bytes) throws DeltaRefusedException {
        return HashChange.read(bytes).applyTo(EMPTY);
    }

    /// The whole list, to be written.
    default HashChange.Difference whole() {
        return new HashChange.Difference(EMPTY, this, 0, size());
    }
}
