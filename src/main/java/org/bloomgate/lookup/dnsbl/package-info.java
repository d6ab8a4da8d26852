/// The client of DNS blocklists (RFC 5782): zones that confirm the listings of a feed, and lists that exist only in
/// DNS.
///
/// A zone is trusted only while its self test holds: it lists TEST and does not list INVALID. An answer outside the
/// documented codes, a late answer or none is never a listing.
///
/// Start reading at [Zone] and [DnsConfirmation].
@NullMarked
package org.bloomgate.lookup.dnsbl;

import org.jspecify.annotations.NullMarked;
