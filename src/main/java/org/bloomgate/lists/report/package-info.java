/// The use of each feed: how many entries no other feed has, its hits in real mail, and how often these were
/// wrong.
///
/// Reads what is there, the exact stores of the current snapshots and the journal of decisions, and writes
/// nothing. Memory is bounded whatever the journal holds. Start reading at [FeedsReport], and at
/// [ShadowReport] for what was not done.
@NullMarked
package org.bloomgate.lists.report;

import org.jspecify.annotations.NullMarked;
