package org.bloomgate.lists.snapshot;

import java.io.IOException;
import java.nio.file.Path;

/// Another process or thread is writing snapshots of the layer.
public final class LayerBusyException extends IOException {
    private static final long serialVersionUID = 1;

    public LayerBusyException(String message) {
        super(message);
    }

    static LayerBusyException of(String layer, Path lock) {
        return new LayerBusyException("layer " + layer
                + " is being rebuilt or rolled back by another process, which holds " + lock + ": wait until it ends");
    }
}
