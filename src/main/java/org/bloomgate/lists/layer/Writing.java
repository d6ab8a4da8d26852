package org.bloomgate.lists.layer;

import java.io.IOException;
import java.util.concurrent.Callable;

/// Work of an additional thread, whose only result is the written data.
@FunctionalInterface
interface Writing {
    void run() throws IOException;

    default Callable<Boolean> task() {
        return () -> {
            run();
            return true;
        };
    }
}
