/// What is looked up: addresses, domains, URLs and password digests in one canonical form.
///
/// Feed side and mail side share this room, so that an entry and a link that mean the same give the same octets. A
/// feed entry becomes one key, its most specific; an identifier of a mail becomes all keys that could list it, itself
/// and its parents, written into one [KeyBatch].
///
/// No I/O, no logging, no thread; no door to another room. Start reading at [KeyBatch] and [KeyKind].
@NullMarked
package org.bloomgate.key;

import org.jspecify.annotations.NullMarked;
