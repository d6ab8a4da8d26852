/// Unicode forms and linear reading of texts that strangers write. Start with
/// [TextForms][org.bloomgate.core.text.TextForms] and [TextScan][org.bloomgate.core.text.TextScan].
///
/// No I/O, no logging, no thread.
@NullMarked
package org.bloomgate.core.text;

import org.jspecify.annotations.NullMarked;
