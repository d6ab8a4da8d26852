/// Certificates and keys from PEM files, for servers, clients and signatures.
///
/// Every reader here names the configuration key and the file it could not use, and what would help. A server's files
/// may change while it runs.
///
/// Must not: open a connection, decide who is trusted.
///
/// Start reading at [ServerTls] and [TrustedCertificates].
@NullMarked
package org.bloomgate.base.tls;

import org.jspecify.annotations.NullMarked;
