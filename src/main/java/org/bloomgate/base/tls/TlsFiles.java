package org.bloomgate.base.tls;

/// The PEM files of a server.
///
/// @param certificate of the chain, the server's own first
/// @param key its unencrypted PKCS #8 key
public record TlsFiles(String certificate, String key) {}
