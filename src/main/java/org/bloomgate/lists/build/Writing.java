package org.bloomgate.lists.build;

import java.io.IOException;
import java.util.concurrent.Callable;

/// Work of a thread beside the one that builds: it gives nothing but what it wrote.
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
