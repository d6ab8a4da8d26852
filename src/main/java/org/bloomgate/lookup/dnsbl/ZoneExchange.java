package org.bloomgate.lookup.dnsbl;

/// One query to a zone and its answer, in words.
///
/// @param question the queried name
/// @param answer addresses, or why there are none
/// @param meaning for the feed: `listed as ..`, `not listed` or `cannot say`
public record ZoneExchange(String feed, String zone, String question, String answer, String meaning) {}
