package org.bloomgate.lists.fetch;

import java.util.Optional;

/// What a web server called the content it gave, by which it can be asked whether there is a newer one (RFC 9110,
/// section 8.8). As it was sent.
public record Validators(Optional<String> etag, Optional<String> lastModified) {
    /// Of content that cannot be asked about.
    public static final Validators NONE = new Validators(Optional.empty(), Optional.empty());

    boolean isEmpty() {
        return etag.isEmpty() && lastModified.isEmpty();
    }
}
