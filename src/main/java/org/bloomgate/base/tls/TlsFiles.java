package org.bloomgate.base.tls;

/// The PEM files of a server.
///
/// @param certificate the file of the chain, with the server's own certificate first
/// @param key the file of its unencrypted PKCS #8 key; empty if the key is in the file of the certificate
public record TlsFiles(String certificate, String key) {
    public TlsFiles {
        key = key.isEmpty() ? certificate : key;
    }
}
