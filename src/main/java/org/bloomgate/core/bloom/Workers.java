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

    /// How many parts a computation is to be cut into.
    int parts();

    /// Runs the part of each number from 0 to [#parts()] exclusive and returns when all are done, with everything
    /// they wrote visible. What a part throws is thrown.
    void run(IntConsumer part);
}
