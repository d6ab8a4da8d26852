package org.bloomgate.core.lookalike;

/// The name that another name imitates.
///
/// @param of the protected domain or person, as configured
public record LookAlike(String of, Trick trick) {}
