package org.bloomgate.lists.fetch;

/// Who has the last word on a listing of a feed.
public enum Confirmation {
    /// The feed itself.
    NONE,
    /// A DNS zone that the feed's owner serves with the same data, fresher than the feed can be.
    DNS
}
