package org.bloomgate.lookup.local;

import java.io.IOException;
import java.nio.file.Path;
import org.bloomgate.base.io.StateFile;

/// The file of local entries does not hold what was written to it, or vanished. No command writes another.
public final class DamagedFileException extends IOException {
    private static final long serialVersionUID = 1L;

    DamagedFileException(StateFile.RefusedException refused) {
        super(refused.getMessage(), refused);
    }

    DamagedFileException(Path file, String what) {
        super(file + ": " + what
                + "; restore it from a backup, or move its folder away, which takes all local listings and"
                + " exceptions out of force");
    }
}
