/// A URL and its host in one canonical form, as a browser that follows the link reads it, and the URLs that a
/// URL carries: redirects, rewritten links, coded targets.
///
/// Any spelling is taken that a browser takes: escapes, dots and signs in other scripts, numbers for
/// addresses, margins. Which keys could list a URL belongs to the package `key`.
///
/// No I/O, no logging, no thread. Start reading at [CanonicalUrl], then `UrlParser` and `HostForm`; for links
/// in links, [LinkUnwrapping].
@NullMarked
package org.bloomgate.core.url;

import org.jspecify.annotations.NullMarked;
