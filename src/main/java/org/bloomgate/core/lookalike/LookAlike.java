package org.bloomgate.core.lookalike;

/// What a name looks like without being it.
///
/// @param of the protected domain or person, as configured
public record LookAlike(String of, Trick trick) {}
