/// Who changed what, when and from where: a log of the changes that people make to a gateway on the command
/// line, over HTTP and on the page.
///
/// [AuditLog] is one bounded file of JSON lines that commands and services append to. A change that only
/// touches files of this gateway (listings, exceptions, the quarantine) is recorded before it is made: there is
/// no such change without its line, and a kill between the two leaves the line of a change that was about to be
/// made. It never contains a password, an operator's token or a message.
///
/// Start reading at [AuditEvent] and [AuditLog].
@NullMarked
package org.bloomgate.base.audit;

import org.jspecify.annotations.NullMarked;
