package org.bloomgate.lookup;

import org.bloomgate.key.Identifier;
import org.bloomgate.verdict.Verdict;

/// An identifier about which there is something to say.
///
/// @param position of the identifier in its batch
/// @param verdict never clean
public record Finding(int position, Identifier identifier, Verdict verdict) {}
