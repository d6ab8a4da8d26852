/// What a rebuild is asked for and the account it gives: its options, how far it is and how long each stage took,
/// the report of what it built and of each feed, and the line of the history.
///
/// Start reading at [RebuildReport].
@NullMarked
package org.bloomgate.account;

import org.jspecify.annotations.NullMarked;
