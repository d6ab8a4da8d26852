/// The formats of lists: how each line of a feed becomes an entry, a comment, a reject with its reason, or
/// a key held back by an allow list.
///
/// A format is one small class that parses a line ([LineFormat], or [CsvRecords] and [JsonValues] where a line
/// is not the unit). It only removes its syntax from a value: the canonical form, and rules about what no feed
/// may list, belong to the package `key`. Nothing is stored here between readings. If parsing a line throws an
/// exception, the line is a reject; an exception elsewhere rejects the feed.
///
/// Start reading at [FeedReader].
@NullMarked
package org.bloomgate.lists.format;

import org.jspecify.annotations.NullMarked;
