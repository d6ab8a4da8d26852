package org.bloomgate.lists.fetch;

/// How the fetching of a feed ended.
public sealed interface Fetched {

    /// The feed is in the caller's file.
    record Content(Validators validators) implements Fetched {}

    /// The web server has what it had when it gave the validators; there is no file.
    record Unchanged() implements Fetched {}
}
