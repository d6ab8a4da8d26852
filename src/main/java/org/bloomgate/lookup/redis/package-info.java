/// The exact tier of a fleet in a Redis or Valkey Cluster: written by rebuilds, queried by gateways.
///
/// ```
///   rebuild  -> RedisPublisher   announce -> header -> fields -> marker of each whole bucket -> current
///   gateway  -> RedisExactLookup marker and field of each suspect, sent at once -> listed | not listed | cannot say
/// ```
///
/// A missing field means "not listed" only if the marker of its generation is in the same bucket: the answer of
/// a node that lost its data is `Unknown`. A generation is written next to those in use and never changed once
/// it is marked. Every key has an expiry, so that nothing of a killed publisher remains for ever.
///
/// Must not: keep a filter there, which would put a round trip before every clean mail; guess from an odd answer;
/// retry for longer than a message can wait.
///
/// Start reading at [RedisExactLookup] and [RedisPublisher]; [GenerationNames] and [BucketField] are the
/// layout.
@NullMarked
package org.bloomgate.lookup.redis;

import org.jspecify.annotations.NullMarked;
