/// Reads YAML or JSON into the option records that live beside their users. A key that nobody reads is an error
/// with file, line and the nearest key that exists.
///
/// Knows no option record: the caller hands in one of defaults, and its components are the keys.
///
/// Start reading at [ConfigReader] and [RecordBinder].
@NullMarked
package org.bloomgate.base.config;

import org.jspecify.annotations.NullMarked;
