package org.bloomgate.lists.snapshot;

import java.io.IOException;
import java.nio.file.Path;

/// Another process or thread is writing snapshots of the layer.
public final class LayerBusyException extends IOException {
    private static final long serialVersionUID = 1;

    LayerBusyException(String layer, Path lock) {
        super("layer " + layer + " is being rebuilt or rolled back by somebody else, who holds " + lock
                + ": wait for the end of that");
    }
}
