/// The formats of lists: how each line of a feed becomes an entry, a comment, a reject with its reason, or
/// a key held back by an allow list.
///
/// A format is one small class that says what a line means ([LineFormat], or [CsvRecords] and [JsonValues]
/// where a line is not the unit). It takes its syntax off a value and no more: the canonical form, and what
/// no feed may list, belong to the package `key`. Nothing is kept here from one reading to the next. A line
/// that makes a reader throw is a reject, a feed that does is refused.
///
/// Start reading at [FeedReader].
@NullMarked
package org.bloomgate.lists.format;

import org.jspecify.annotations.NullMarked;
