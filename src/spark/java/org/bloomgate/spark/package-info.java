/// The first half of a rebuild on Apache Spark: feeds in, sorted runs out, which `rebuild --from-runs` makes a snapshot
/// of. Built by the profile `spark` alone, whose libraries are not delivered.
///
/// ```
///   driver    feed -> fetched file -> splits at line ends, or one for what cannot be split
///   sample    a few keys of each split -> bounds of the partitions
///   read      split -> the parser of every rebuild -> blocks of records, one series a partition
///   sort      blocks of a partition -> the sort of every rebuild -> a run, moved to its name when it is whole
/// ```
///
/// Where bounds fall changes which run a key stands in and nothing else, and a task that is run again writes the same
/// bytes under the same name.
///
/// Start reading at [SparkRuns].
@NullMarked
package org.bloomgate.spark;

import org.jspecify.annotations.NullMarked;
