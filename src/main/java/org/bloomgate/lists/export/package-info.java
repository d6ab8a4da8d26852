/// Exports: the lists as files that resolvers, proxies and firewalls read.
///
/// An export is written from the exact stores of the current generations and the entries of operators, which
/// are sorted on disk, and replaces a file only if its content changed.
///
/// Start reading at [Export].
@NullMarked
package org.bloomgate.lists.export;

import org.jspecify.annotations.NullMarked;
