/// The exact tier of a fleet in a Redis or Valkey Cluster: published by the rebuild, asked by gateways.
///
/// ```
///   rebuild  -> RedisPublisher   announce -> header -> fields -> marker of each whole bucket -> current
///   gateway  -> RedisExactLookup marker and field of each suspect, sent at once -> listed | not listed | cannot say
/// ```
///
/// A missing field means "not listed" only where the marker of its generation stands in the same bucket: a node that
/// lost its data is `Unknown`. A generation is written beside those that are asked and never changed once it is
/// marked. Nothing is without an expiry, so that nothing is left for ever by a publisher that was killed.
///
/// Must not: keep a filter there, which would put a round trip before every clean mail; guess from an odd answer;
/// retry for longer than a message can wait.
///
/// Start reading at [RedisExactLookup] and [RedisPublisher]; [GenerationNames] and [BucketField] are the
/// layout.
@NullMarked
package org.bloomgate.lookup.redis;

import org.jspecify.annotations.NullMarked;
