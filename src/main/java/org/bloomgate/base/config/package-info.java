/// Reads YAML or JSON into option records, which are next to the code that uses them. An unknown key is an
/// error with file, line and the nearest known key.
///
/// Knows no option record: the caller hands in one of defaults, and its components are the keys.
///
/// Start reading at [ConfigReader] and [RecordBinder].
@NullMarked
package org.bloomgate.base.config;

import org.jspecify.annotations.NullMarked;
