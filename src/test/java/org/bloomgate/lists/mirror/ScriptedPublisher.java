package org.bloomgate.lists.mirror;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.PublishedState;
import org.bloomgate.lists.snapshot.PublishedStateWriter;
import org.bloomgate.lists.snapshot.SharedEntries;

/// A publisher that serves the files below a root, or the replies of a test.
final class ScriptedPublisher implements AutoCloseable {
    /// @param path below `/v1/snapshots/`
    /// @param fields by lower-case name
    record Request(String path, Map<String, String> fields) {
        Optional<String> field(String name) {
            return Optional.ofNullable(fields.get(name));
        }
    }

    /// Answers one request; the connection is closed behind it.
    @FunctionalInterface
    interface Reply {
        void to(Request request, OutputStream out) throws IOException;
    }

    final List<Request> requests = new CopyOnWriteArrayList<>();
    private final Map<String, Reply> replies = new ConcurrentHashMap<>();
    private final Path root;
    private volatile Optional<PublishedStateWriter> writer = Optional.empty();
    private final ServerSocket socket;
    private final Thread accepting;

    ScriptedPublisher(Path root) throws IOException {
        this.root = root;
        this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.accepting = Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    /// Sets the reply to requests whose path ends with a text.
    void reply(String end, Reply reply) {
        replies.put(end, reply);
    }

    /// Sets the writer of statements.
    void publishWith(PublishedStateWriter newWriter) {
        writer = Optional.of(newWriter);
    }

    void clearReplies() {
        replies.clear();
    }

    /// Returns and clears the paths of the requests so far.
    List<String> takePaths() {
        List<String> paths = requests.stream().map(Request::path).toList();
        requests.clear();
        return paths;
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket connection = socket.accept();
                Thread.ofVirtual().start(() -> serve(connection));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            List<String> head = head(connection);
            if (head.isEmpty()) {
                return;
            }
            Request request = parse(head);
            requests.add(request);
            replies.entrySet().stream()
                    .filter(one -> request.path().endsWith(one.getKey()))
                    .findFirst()
                    .map(Map.Entry::getValue)
                    .orElse(this::serve)
                    .to(request, connection.getOutputStream());
        } catch (IOException gone) {
            // The client went away, as it does from an answer it does not want.
        }
    }

    private static List<String> head(Socket connection) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(connection.getInputStream(), ISO_8859_1));
        return in.lines().takeWhile(line -> !line.isEmpty()).toList();
    }

    private static Request parse(List<String> head) {
        Map<String, String> fields = new TreeMap<>();
        for (String line : head.subList(1, head.size())) {
            String[] field = line.split(": ", 2);
            fields.put(field[0].toLowerCase(Locale.ROOT), field[1]);
        }
        return new Request(head.getFirst().split(" ", -1)[1].replace("/v1/snapshots/", ""), fields);
    }

    /// As a publisher should.
    void serve(Request request, OutputStream out) throws IOException {
        Optional<byte[]> content = content(request.path());
        if (content.isEmpty()) {
            write(out, "404 Not Found", "", new byte[0]);
            return;
        }
        byte[] bytes = content.get();
        String tag = tag(request.path().equals(SharedEntries.FILE_NAME) ? head(bytes) : bytes);
        if (request.field("if-none-match").equals(Optional.of(tag))) {
            write(out, "304 Not Modified", "ETag: " + tag + "\r\n", new byte[0]);
        } else if (request.field("range").isPresent()
                && request.field("if-range").filter(known -> !known.equals(tag)).isEmpty()) {
            int from = Integer.parseInt(request.field("range").get().replaceAll("\\D", ""));
            String range = "Content-Range: bytes " + from + "-" + (bytes.length - 1) + "/" + bytes.length + "\r\n";
            write(out, "206 Partial Content", range, Arrays.copyOfRange(bytes, from, bytes.length));
        } else {
            write(out, "200 OK", "ETag: " + tag + "\r\n", bytes);
        }
    }

    static void write(OutputStream out, String status, String fields, byte[] body) throws IOException {
        write(out, status, fields, body.length, body);
    }

    /// @param contentLength the announced length, which a bad publisher may get wrong
    static void write(OutputStream out, String status, String fields, long contentLength, byte[] body)
            throws IOException {
        String head = "HTTP/1.1 " + status + "\r\n" + fields + "Content-Length: " + contentLength
                + "\r\nConnection: close\r\n\r\n";
        out.write(head.getBytes(ISO_8859_1));
        out.write(body);
        out.flush();
    }

    byte[] bytes(String path) throws IOException {
        return content(path).orElseThrow();
    }

    private Optional<byte[]> content(String path) throws IOException {
        if (path.equals(PublishedState.FILE_NAME)) {
            return publishedState();
        }
        if (path.equals(SharedEntries.FILE_NAME)) {
            return SharedEntries.FORM.readBytes(root);
        }
        for (LayerDirectory layer : LayerDirectory.listAll(root)) {
            Path file = layer.path().resolve(path);
            if (Files.isRegularFile(file)) {
                return Optional.of(Files.readAllBytes(file));
            }
        }
        return Optional.empty();
    }

    /// The statement, which is renewed if another generation is current.
    private Optional<byte[]> publishedState() throws IOException {
        if (writer.isPresent()) {
            boolean _ = writer.get().publish();
        }
        return writer.isPresent() ? PublishedState.FORM.readBytes(root) : Optional.empty();
    }

    /// The lines before the first empty one.
    private static byte[] head(byte[] bytes) {
        String text = new String(bytes, ISO_8859_1);
        return text.substring(0, text.indexOf("\n\n") + 1).getBytes(ISO_8859_1);
    }

    private static String tag(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return "\"" + HexFormat.of().formatHex(digest) + "\"";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        accepting.interrupt();
    }
}
