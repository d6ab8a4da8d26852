/// Who changed what, when and from where: the trail of all that people do to a gateway, by the command
/// line, over HTTP and on the page.
///
/// [AuditLog] is one bounded file of JSON lines, which commands and services add to. What is changed
/// by a file of this gateway alone (listings, exceptions, the quarantine) is written down before it is
/// done: there is no such change without its line, and a kill between the two leaves a line of what was
/// about to be done. Never holds a password, a token of an operator or a message.
///
/// Start reading at [AuditEvent] and [AuditLog].
@NullMarked
package org.bloomgate.base.audit;

import org.jspecify.annotations.NullMarked;
