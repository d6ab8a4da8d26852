package org.bloomgate.lists.fetch;

/// How a listing of a feed is confirmed before it is enforced.
public enum ConfirmationMethod {
    /// Not at all: the feed decides.
    NONE,
    /// By a query to a DNS zone that the owner of the feed serves, whose data is newer than that of the feed.
    DNS
}
