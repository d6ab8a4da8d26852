package org.bloomgate.base.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerCertificateTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"rsa", "ec", "ed25519"})
    void aKeyInPkcs8IsRead(String algorithm) throws Exception {
        assertEquals(
                1,
                load("server-" + algorithm + ".pem", "server-" + algorithm + ".key")
                        .size());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void certificateAndKeyMayBeInOneFile(boolean keyFirst) throws Exception {
        String certificate = Files.readString(resource("server-ec.pem"));
        String key = Files.readString(resource("server-ec.key"));
        String both = Files.writeString(folder.resolve("both.pem"), keyFirst ? key + certificate : certificate + key)
                .toString();
        assertEquals(
                1, ServerCertificate.load("smtp.tls", new TlsFiles(both, "")).size());
        assertEquals(
                1, ServerCertificate.load("smtp.tls", new TlsFiles(both, both)).size());
    }

    @ParameterizedTest
    @CsvSource({
        "server-rsa.pem,server-rsa-pkcs1.key,PKCS #1",
        "server-ec.pem,server-ec-sec1.key,SEC 1",
        "server-ec.pem,server-ec-encrypted.key,encrypted"
    })
    void anotherFormOfKeyIsNamedWithItsRemedy(String certificate, String key, String form) {
        String message = refusal(certificate, key);
        assertTrue(message.startsWith("smtp.tls.key: "), message);
        assertTrue(message.contains(form), message);
        assertTrue(message.contains("openssl pkcs8 -topk8 -nocrypt -in "), message);
    }

    @ParameterizedTest
    @CsvSource({"server-rsa.pem,server-ec.key", "server-ec.pem,server-rsa.key", "next-hop.pem,server-rsa.key"})
    void aKeyOfAnotherCertificateIsRefused(String certificate, String key) {
        String message = refusal(certificate, key);
        assertTrue(message.contains("is not the key of"), message);
    }

    @Test
    void aCertificateThatIsNoneIsNamed() {
        assertTrue(refusal("server-ec.key", "server-ec.key").startsWith("smtp.tls.certificate: "));
        assertTrue(refusal("none.pem", "server-ec.key").endsWith("none.pem: no such file"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
                "-----BEGIN PRIVATE KEY-----\nA\n-----END PRIVATE KEY-----\n"
            })
    void aKeyThatIsNoneIsNamed(String pem) throws Exception {
        Path key = Files.writeString(folder.resolve("server.key"), pem);
        TlsFiles options = new TlsFiles(resource("server-ec.pem").toString(), key.toString());
        IOException refused = assertThrows(IOException.class, () -> ServerCertificate.load("smtp.tls", options));
        assertTrue(refused.toString().contains("smtp.tls.key: " + key), refused.toString());
    }

    static Path resource(String name) throws URISyntaxException {
        Path folder = Path.of(
                ServerCertificateTest.class.getResource("/tls/next-hop.pem").toURI());
        return folder.resolveSibling(name);
    }

    private static String refusal(String certificate, String key) {
        IOException refused = assertThrows(IOException.class, () -> load(certificate, key));
        return refused.toString().replace("java.io.IOException: ", "");
    }

    private static java.security.KeyStore load(String certificate, String key) throws Exception {
        return ServerCertificate.load(
                "smtp.tls",
                new TlsFiles(resource(certificate).toString(), resource(key).toString()));
    }
}
