package org.bloomgate.lists.mirror;

import java.io.IOException;

/// A publisher that cannot be reached, or whose answer cannot be used. The message is safe for the log.
final class PublisherException extends IOException {
    private static final long serialVersionUID = 1;

    PublisherException(String reason) {
        super(reason);
    }
}
