package org.bloomgate.lookup.remote;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// An HTTP server on loopback that answers each request with the bytes it is told to, well-formed or not.
final class ScriptedService implements AutoCloseable {
    /// Written as they are; the connection stays open after [#HANG] and closes after [#CUT].
    static final String HANG = "\u0000hang";

    static final String CUT = "\u0000cut";

    final List<String> requestLines = new CopyOnWriteArrayList<>();
    final List<String> authorizations = new CopyOnWriteArrayList<>();
    final List<String> questions = new CopyOnWriteArrayList<>();
    final AtomicInteger connections = new AtomicInteger();
    private final ConcurrentLinkedQueue<Socket> open = new ConcurrentLinkedQueue<>();
    private final ServerSocket server;
    volatile String answer = "";

    ScriptedService() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    void json(String body) {
        answer = http("200 OK", body.length(), body);
    }

    static String http(String status, int length, String body) {
        return "HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\nContent-Length: " + length + "\r\n\r\n"
                + body;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                connections.incrementAndGet();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            Optional<String> question = question(in);
            while (question.isPresent()) {
                questions.add(question.get());
                String now = answer;
                OutputStream out = socket.getOutputStream();
                out.write(now.replace(HANG, "").replace(CUT, "").getBytes(StandardCharsets.UTF_8));
                out.flush();
                if (now.endsWith(CUT)) {
                    return;
                }
                question = question(in);
            }
        } catch (IOException gone) {
            // The client hung up.
        }
    }

    /// The body of the next request; empty at the end.
    private Optional<String> question(BufferedReader in) throws IOException {
        int length = 0;
        String line = in.readLine();
        if (line != null) {
            requestLines.add(line);
        }
        while (line != null && !line.isEmpty()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("authorization:")) {
                authorizations.add(line.substring(line.indexOf(':') + 1).strip());
            }
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
            }
            line = in.readLine();
        }
        char[] body = new char[length];
        int read = 0;
        while (line != null && read < length) {
            int more = in.read(body, read, length - read);
            if (more < 0) {
                return Optional.empty();
            }
            read += more;
        }
        return line == null ? Optional.empty() : Optional.of(new String(body));
    }

    /// Closes the connections there are, as a service that is stopped does.
    void drop() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
        open.clear();
    }

    @Override
    public void close() throws IOException {
        server.close();
        drop();
    }
}
