package org.bloomgate.lists.layer;

import java.io.IOException;
import java.util.concurrent.Callable;

/// A task of an additional thread that only writes data.
@FunctionalInterface
interface WriteTask {
    void run() throws IOException;

    default Callable<Boolean> asCallable() {
        return () -> {
            run();
            return true;
        };
    }
}
