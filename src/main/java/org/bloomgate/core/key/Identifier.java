package org.bloomgate.core.key;

/// An address, host, URL or digest as found, in canonical form, with the place it was found at.
///
/// @param value canonical text, as `canonicalize` and `scan` print it
/// @param where the place for a reader: `link`, `text`, `header:Reply-To`, `pdf`, ...
public record Identifier(KeyKind kind, String value, Place place, String where) {}
