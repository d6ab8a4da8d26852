package org.bloomgate.lists.fetch;

/// The result of fetching a feed.
public sealed interface Fetched {

    /// The feed is in the caller's file.
    record Content(Validators validators) implements Fetched {}

    /// The web server still has the content of the given validators; there is no file.
    record Unchanged() implements Fetched {}
}
