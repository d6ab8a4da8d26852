package org.bloomgate.base.tls;

/// The PEM files of a server.
///
/// @param certificate of the chain, the server's own first
/// @param key its unencrypted PKCS #8 key; empty when the file of the certificate holds it as well
public record TlsFiles(String certificate, String key) {
    public TlsFiles {
        key = key.isEmpty() ? certificate : key;
    }
}
