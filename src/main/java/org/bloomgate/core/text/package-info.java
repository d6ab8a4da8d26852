/// Unicode forms and linear scanning of text from untrusted sources. Start reading at
/// [TextForms][org.bloomgate.core.text.TextForms] and [TextScan][org.bloomgate.core.text.TextScan].
///
/// This package does no I/O, logs nothing and starts no thread.
@NullMarked
package org.bloomgate.core.text;

import org.jspecify.annotations.NullMarked;
