package org.bloomgate.core.key;

/// An address, host, URL or digest in canonical form, with the place where it was found.
///
/// @param value canonical text, as `canonicalize` and `scan` print it
/// @param where the location for a person: `link`, `text`, `header:Reply-To`, `pdf`, ...
public record Identifier(KeyKind kind, String value, Place place, String where) {}
