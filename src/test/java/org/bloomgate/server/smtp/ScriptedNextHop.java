package org.bloomgate.server.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.bloomgate.server.nexthop.NextHopScript;

/// A next hop on a loopback port that plays the server's lines of a script, once, in a thread of its own.
public final class ScriptedNextHop implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 20_000;

    private static final SSLContext TLS = serverContext();

    private final ServerSocket listener;
    private final CompletableFuture<Void> played = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private Socket socket = new Socket();
    private InputStream in = InputStream.nullInputStream();

    public ScriptedNextHop(List<String> lines) throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        listener.setSoTimeout(PATIENCE_MILLIS);
        Thread.ofVirtual().start(() -> play(lines));
    }

    public int port() {
        return listener.getLocalPort();
    }

    /// Waits until the script is through; fails as it failed.
    public void assertPlayed() throws InterruptedException, TimeoutException {
        try {
            played.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw new AssertionError("the next hop's side", failed.getCause());
        }
    }

    /// Why the script ended early, when it has.
    public Optional<Throwable> failure() {
        return played.isCompletedExceptionally() ? Optional.of(played.exceptionNow()) : Optional.empty();
    }

    private void play(List<String> lines) {
        try {
            accept();
            for (String line : lines) {
                play(line);
            }
            socket.close();
            played.complete(null);
        } catch (IOException | AssertionError failed) {
            played.completeExceptionally(failed);
            close();
        }
    }

    private void play(String line) throws IOException {
        switch (line.charAt(0)) {
            case '>' -> socket.getOutputStream().write(NextHopScript.wire(line).getBytes(ISO_8859_1));
            case '<' -> assertEquals(line.substring(2), readLine());
            default -> act(line.substring(2));
        }
    }

    private void act(String action) throws IOException {
        switch (action) {
            case "accept" -> accept();
            case "close" -> socket.close();
            case "stall" -> untilClosed();
            case "tls" -> encrypt();
            case "tls refused" -> assertThrows(IOException.class, this::encrypt);
            case "gone" -> assertEquals(-1, readOrEnd(), "something came");
            case "reset" -> {
                socket.setSoLinger(true, 0);
                socket.close();
            }
            default -> throw new AssertionError("no such action: " + action);
        }
    }

    private void accept() throws IOException {
        socket.close();
        socket = listener.accept();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /// As who has the key in `tls/next-hop.p12`: 127.0.0.1 and mx.example, signed by itself.
    private void encrypt() throws IOException {
        SSLSocket tls = (SSLSocket) TLS.getSocketFactory().createSocket(socket, null, true);
        tls.startHandshake();
        socket = tls;
        in = new BufferedInputStream(tls.getInputStream());
    }

    private static SSLContext serverContext() {
        char[] password = "changeit".toCharArray();
        try (InputStream file = ScriptedNextHop.class.getResourceAsStream("/tls/next-hop.p12")) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(file, password);
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keys, password);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(factory.getKeyManagers(), null, null);
            return context;
        } catch (IOException | GeneralSecurityException broken) {
            throw new AssertionError(broken);
        }
    }

    private void untilClosed() {
        try {
            closed.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException failed) {
            throw new AssertionError("nobody closed the stalled next hop", failed);
        }
    }

    private int readOrEnd() throws IOException {
        try {
            return in.read();
        } catch (SocketException reset) {
            return -1;
        }
    }

    private String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0; b = in.read()) {
            line.write(b);
            String text = line.toString(ISO_8859_1);
            if (text.endsWith("\r\n")) {
                return text.substring(0, text.length() - 2);
            }
        }
        return "(end of the connection after \"" + line.toString(ISO_8859_1) + "\")";
    }

    @Override
    public void close() {
        closed.complete(null);
        try {
            socket.close();
            listener.close();
        } catch (IOException alreadyGone) {
            // Nothing of it is needed any more.
        }
    }
}
