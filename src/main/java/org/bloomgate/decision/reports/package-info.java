/// Messages that recipients of the site report, and what becomes of the reports.
///
/// [ReportStore] keeps one report of one message, which later reporters join. An identifier of a report is listed by an
/// operator, through the entry service, never here.
///
/// Start reading at [ReportedMessage] and [ReportStore].
@NullMarked
package org.bloomgate.decision.reports;

import org.jspecify.annotations.NullMarked;
