package org.bloomgate.core.bloom;

import java.util.function.IntConsumer;

/// Runs the parts of one computation, in parallel if possible. The core starts no thread; a caller with threads
/// provides them.
public interface Workers {
    /// Runs parts one after the other, on the calling thread.
    Workers CALLER = new Workers() {
        @Override
        public int parts() {
            return 1;
        }

        @Override
        public void run(IntConsumer part) {
            part.accept(0);
        }
    };

    /// The number of parts into which a computation is to be divided.
    int parts();

    /// Runs the parts 0 to [#parts()] exclusive, and returns when all are done, with all of their writes
    /// visible. Throws the exception of a part.
    void run(IntConsumer part);
}
