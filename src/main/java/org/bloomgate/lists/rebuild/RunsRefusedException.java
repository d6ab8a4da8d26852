package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.nio.file.Path;

/// Thrown for runs from which no snapshot can be made. The message names the file and what to do.
public final class RunsRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    RunsRefusedException(Path file, String why) {
        super("runs: " + file + ": " + why);
    }
}
