package org.bloomgate.lists.fetch;

import java.util.Optional;

/// The validators of content, as the web server sent them. With them a client requests only newer content (RFC
/// 9110, section 8.8).
public record Validators(Optional<String> etag, Optional<String> lastModified) {
    /// For content without validators.
    public static final Validators NONE = new Validators(Optional.empty(), Optional.empty());

    boolean isEmpty() {
        return etag.isEmpty() && lastModified.isEmpty();
    }
}
