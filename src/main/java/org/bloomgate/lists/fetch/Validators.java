package org.bloomgate.lists.fetch;

import java.util.Optional;

/// The validators that a web server gave for its content, with which a client requests only newer content (RFC
/// 9110, section 8.8). As they were sent.
public record Validators(Optional<String> etag, Optional<String> lastModified) {
    /// For content without validators.
    public static final Validators NONE = new Validators(Optional.empty(), Optional.empty());

    boolean isEmpty() {
        return etag.isEmpty() && lastModified.isEmpty();
    }
}
