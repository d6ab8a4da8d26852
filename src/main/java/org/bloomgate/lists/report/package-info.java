/// The use of each feed: how many entries no other feed has, its hits in real mail, and how often these were
/// wrong.
///
/// Only reads: the exact stores of the current snapshots and the decision journal. Memory is bounded, whatever
/// the size of the journal. Start reading at [FeedsReport], and at [ShadowReport] for actions that were only
/// recorded.
@NullMarked
package org.bloomgate.lists.report;

import org.jspecify.annotations.NullMarked;
