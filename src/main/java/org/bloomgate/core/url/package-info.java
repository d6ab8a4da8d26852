/// The canonical form of URLs and hosts, as a browser that follows the link reads them, and the URLs that are
/// wrapped in a URL: redirects, rewritten links, encoded targets.
///
/// Every spelling that a browser accepts is accepted: escapes, dots and characters of other scripts, addresses
/// as numbers, blanks around the URL. The package `key` makes the keys of a URL.
///
/// This package does no I/O, logs nothing and starts no thread. Start reading at [CanonicalUrl], then
/// `UrlParser` and `HostForm`; for links in links, [LinkUnwrapping].
@NullMarked
package org.bloomgate.core.url;

import org.jspecify.annotations.NullMarked;
