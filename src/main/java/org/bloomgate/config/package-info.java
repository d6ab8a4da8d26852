/// Reads YAML or JSON into the option records that live beside their users. A key that nobody reads is an error with
/// file, line and the nearest key that exists.
///
/// Doors: the rooms whose option records it fills.
@NullMarked
package org.bloomgate.config;

import org.jspecify.annotations.NullMarked;
