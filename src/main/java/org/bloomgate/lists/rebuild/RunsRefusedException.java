package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.nio.file.Path;

/// Runs that no snapshot is made of. The message names the file and what to do.
public final class RunsRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    RunsRefusedException(Path file, String why) {
        super("runs: " + file + ": " + why);
    }
}
