/// Messages that recipients of the site report, and what becomes of the reports.
///
/// [ReportQueue] keeps each report on disk until [ReportReader] has read which messages it is about; [Originals] finds
/// their decisions in the journals. [ReportStore] keeps one report of one message, which later reporters join.
/// Operators decide through [Reports]; [AutomaticListing] lists for a limited time what several people report.
///
/// Start reading at `read` of [ReportQueue].
@NullMarked
package org.bloomgate.decision.reports;

import org.jspecify.annotations.NullMarked;
