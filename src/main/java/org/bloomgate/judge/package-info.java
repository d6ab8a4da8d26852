/// Judges one message, one value: whoever asks, by SMTP, HTTP or the command line, gets the same answer.
///
/// Reads keys, asks the two tiers and applies the policy. Knows no protocol, and what a caller shows of an
/// answer is the caller's business.
///
/// Doors: `key`, `filter`, `verdict`, `lookup`, `policy`, `message`, `password`, `journal`, `snapshot`,
/// `exact`, `remote`. Start reading at [MessageScan] and [ValueCheck].
@NullMarked
package org.bloomgate.judge;

import org.jspecify.annotations.NullMarked;
