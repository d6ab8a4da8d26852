package org.bloomgate.key;

/// The public suffix list (publicsuffix.org) as a map of rules.
public final class PublicSuffixes {}
