/// What is looked up: addresses, domains, URLs, digests of passwords and files, and words in one canonical
/// form, that of hosts and URLs by the package `url`.
///
/// Feed side and mail side share this room, so that an entry and a link that mean the same give the same bytes.
/// A feed entry becomes one key, its most specific ([FeedKeys]); an identifier of a message becomes all keys
/// that could list it, itself and its parents, written into one [KeyBatch] ([UrlExpressions], [DomainKeys],
/// [MailAddress]). Mail is read in every spelling a browser or a mailer takes, a feed to the letter.
/// [CanonicalForm#VERSION] and the public suffix list go into each snapshot, because keys depend on both.
///
/// What differs between kinds stands in one [KindRules] each: a new kind is a constant of [KeyKind], its rules, and
/// whatever is about that kind alone.
///
/// No I/O, no logging, no thread. Start reading at [KeyBatch] and [KeyKind], then follow a link:
/// `url/CanonicalUrl`, [UrlExpressions].
///
/// `public_suffix_list.dat` is the list of publicsuffix.org, under the Mozilla Public License 2.0
/// (<https://mozilla.org/MPL/2.0/>), unchanged; its header names version and commit.
@NullMarked
package org.bloomgate.core.key;

import org.jspecify.annotations.NullMarked;
