/// Keys: the canonical forms of addresses, domains, URLs, words, and digests of passwords and files. The
/// package `url` has those of hosts and URLs.
///
/// Feeds and mail share this package, so that an entry and a link with the same meaning give the same bytes. A
/// feed entry becomes one key, the most specific ([FeedKeys]). An identifier of a message becomes all keys that
/// could list it, itself and its parents, written into one [KeyBatch] ([UrlExpressions], [DomainKeys],
/// [MailAddress]). Mail is read in every spelling that a browser or mail program accepts, a feed literally.
/// [CanonicalForm#VERSION] and the public suffix list are part of each snapshot, because keys depend on both.
///
/// The differences between kinds are in one [KindRules] each: a new kind is a constant of [KeyKind], its rules,
/// and code that concerns only that kind.
///
/// This package does no I/O, logs nothing and starts no thread. Start reading at [KeyBatch] and [KeyKind], then
/// follow a link: `url/CanonicalUrl`, [UrlExpressions].
///
/// `public_suffix_list.dat` is the list of publicsuffix.org, under the Mozilla Public License 2.0
/// (<https://mozilla.org/MPL/2.0/>), unchanged; its header names version and commit.
@NullMarked
package org.bloomgate.core.key;

import org.jspecify.annotations.NullMarked;
