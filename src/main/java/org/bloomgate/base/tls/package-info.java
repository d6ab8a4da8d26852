/// Certificates and keys from PEM files, for servers, clients and signatures.
///
/// Every error names the configuration key, the file that could not be used, and what would help. A server's
/// files may change while it runs.
///
/// This package opens no connection and does not decide who is trusted.
///
/// Start reading at [ServerTls] and [TrustedCertificates].
@NullMarked
package org.bloomgate.base.tls;

import org.jspecify.annotations.NullMarked;
