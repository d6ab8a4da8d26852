import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Starts a gateway, sends mail of common kinds through it, and stops it: a run from which the JVM can keep the
/// classes and the profiles of the methods that message makes busy (JEP 514, JEP 515). The launcher runs it
/// after a build and for `bloomgate train`. Without odd messages it sends letters alone.
///
/// `java Training.java ODD MESSAGES COMMAND..`; `ODD` is a folder with messages, the command starts a gateway that
/// listens on port 0.
final class Training {
    private static final Pattern READY = Pattern.compile("ready smtp=\\S+:(\\d+) milter=\\S+:(\\d+) .*");
    private static final int SESSIONS = 4;

    /// Of this many messages one goes through the milter too.
    private static final int TO_MILTER = 4;

    /// Bytes of a body that a mail server tells at a time.
    private static final int PIECE = 65_535;

    private static final int SECONDS = 60;

    private final List<Path> odds;

    private Training(Path folder) throws IOException {
        try (Stream<Path> files = Files.exists(folder) ? Files.list(folder) : Stream.empty()) {
            odds = files.filter(file -> file.toString().endsWith(".eml"))
                    .sorted()
                    .toList();
        }
    }

    public static void main(String[] arguments) throws Exception {
        new Training(Path.of(arguments[0]))
                .run(
                        Integer.parseInt(arguments[1]),
                        new ArrayList<>(List.of(arguments).subList(2, arguments.length)));
    }

    private void run(int messages, List<String> command) throws Exception {
        try (ServerSocket nextHop = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> serve(nextHop));
            command.addAll(List.of("--set", "nextHop=smtp://127.0.0.1:" + nextHop.getLocalPort()));
            Process gateway =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            try {
                BufferedReader log = gateway.inputReader(StandardCharsets.UTF_8);
                Ports ports = ports(log);
                Thread.ofVirtual().start(() -> log.lines().forEach(line -> {}));
                send(messages, ports);
            } finally {
                // through its handle, because Process.destroy closes the streams that the JVM still reports on
                gateway.toHandle().destroy();
                gateway.waitFor(SECONDS, TimeUnit.SECONDS);
                gateway.destroyForcibly();
            }
        }
    }

    private record Ports(int smtp, int milter) {}

    private static Ports ports(BufferedReader log) throws IOException {
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            Matcher ready = READY.matcher(line);
            if (ready.find()) {
                return new Ports(Integer.parseInt(ready.group(1)), Integer.parseInt(ready.group(2)));
            }
        }
        throw new IOException("the gateway ended before it was ready");
    }

    private void send(int messages, Ports ports) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            clients.add(Thread.ofVirtual().start(() -> {
                for (int n = next.getAndIncrement(); n < messages; n = next.getAndIncrement()) {
                    session(ports.smtp(), n);
                    if (n % TO_MILTER == 0) {
                        milterSession(ports.milter(), n / TO_MILTER);
                    }
                }
            }));
        }
        for (Thread client : clients) {
            client.join(Duration.ofSeconds(SECONDS));
        }
    }

    /// One message on a connection of its own. Whatever the gateway answers, the next command follows.
    private void session(int port, int number) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            OutputStream out = socket.getOutputStream();
            String sender = number % 40 == 0 ? "x@phish.example" : "news" + number % 97 + "@sender.example";
            reply(in);
            say(in, out, "EHLO client.example");
            String mail = say(in, out, "MAIL FROM:<" + sender + "> SIZE=20000 BODY=8BITMIME");
            String rcpt = say(in, out, "RCPT TO:<user" + number % 31 + "@dest.example>");
            if (mail.startsWith("250")
                    && rcpt.startsWith("250")
                    && say(in, out, "DATA").startsWith("354")) {
                say(in, out, message(number) + ".");
            }
            say(in, out, "QUIT");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What a mail server tells a milter of one message: frames of four bytes of length, a command, and its data.
    private void milterSession(int port, int number) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            // version 6, with every edit and every step that may be left out
            frame(out, 'O', "\0\0\0\6\0\0\1\u00ff\0\37\u00ff\u00ff");
            answer(in);
            frame(out, 'D', "C{daemon_name}\0mail.dest.example\0v\0Training\0");
            frame(out, 'C', "mx.sender.example\0004\u0004\u0000192.0.2.7\0");
            answer(in);
            frame(out, 'H', "mx.sender.example\0");
            frame(out, 'M', "<news" + number % 97 + "@sender.example>\0SIZE=20000\0");
            answer(in);
            frame(out, 'R', "<user" + number % 31 + "@dest.example>\0");
            answer(in);
            tell(out, message(number));
            frame(out, 'D', "Ei\0" + Integer.toHexString(number) + "\0");
            frame(out, 'E', "");
            answer(in);
            frame(out, 'Q', "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void tell(DataOutputStream out, String message) throws IOException {
        int end = message.indexOf("\r\n\r\n");
        for (String field : message.substring(0, Math.max(end, 0)).split("\r\n(?![ \t])")) {
            int colon = field.indexOf(':');
            if (colon > 0) {
                frame(
                        out,
                        'L',
                        field.substring(0, colon)
                                + '\0'
                                + field.substring(colon + 1).replace("\r\n", "\n")
                                + '\0');
            }
        }
        for (int at = end < 0 ? 0 : end + 4; at < message.length(); at += PIECE) {
            frame(out, 'B', message.substring(at, Math.min(message.length(), at + PIECE)));
        }
    }

    private static void frame(DataOutputStream out, char command, String data) throws IOException {
        byte[] bytes = (command + data).getBytes(StandardCharsets.ISO_8859_1);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /// Up to the frame that ends an answer; edits come before it.
    private static void answer(DataInputStream in) throws IOException {
        int command;
        do {
            byte[] frame = in.readNBytes(in.readInt());
            command = frame[0];
        } while ("hmi+bq".indexOf(command) >= 0);
    }

    /// A letter, or by turns one of the messages that tests are made of: a profile that has never seen odd mail makes
    /// the compiler work twice.
    private String message(int number) throws IOException {
        if (number % 2 == 0 || odds.isEmpty()) {
            return new Letter(number / 2).text();
        }
        String odd = Files.readString(odds.get(number / 2 % odds.size()), StandardCharsets.ISO_8859_1);
        return odd.replaceAll("\\r?\\n|$", "\r\n").replace("\r\n.", "\r\n..");
    }

    private static String say(BufferedReader in, OutputStream out, String line) throws IOException {
        out.write((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        return reply(in);
    }

    private static String reply(BufferedReader in) throws IOException {
        String line = in.readLine();
        while (line != null && line.length() > 3 && line.charAt(3) == '-') {
            line = in.readLine();
        }
        return line == null ? "" : line;
    }

    /// The next hop: takes everything.
    private static void serve(ServerSocket nextHop) {
        while (!nextHop.isClosed()) {
            try {
                Socket socket = nextHop.accept();
                Thread.ofVirtual().start(() -> take(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void take(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream(), 32 * 1024);
            OutputStream out = socket.getOutputStream();
            write(out, "220 next.example ESMTP");
            boolean data = false;
            for (String line = line(in); !line.equals("QUIT"); line = line(in)) {
                if (data && line.equals(".")) {
                    data = false;
                    write(out, "250 2.0.0 Ok");
                } else if (line.startsWith("EHLO")) {
                    write(
                            out,
                            "250-next.example\r\n250-PIPELINING\r\n250-SIZE 50000000\r\n250-ENHANCEDSTATUSCODES\r\n"
                                    + "250-8BITMIME\r\n250 SMTPUTF8");
                } else if (line.equals("DATA")) {
                    data = true;
                    write(out, "354 Go on");
                } else if (!data) {
                    write(out, "250 2.1.0 Ok");
                }
            }
        } catch (IOException gone) {
            // the gateway has closed the connection
        }
    }

    private static void write(OutputStream out, String reply) throws IOException {
        out.write((reply + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("closed");
            }
            if (b != '\r') {
                line.append((char) b);
            }
        }
        return line.toString();
    }

    /// A letter made up from its number: plain, HTML, or both and an attachment, in the usual transfer encodings.
    private record Letter(int number, Random random) {
        private static final String[] WORDS =
                ("the of a report is ready for your review please find attached our monthly offer with links to news"
                                + " weather shipping invoice meeting tomorrow caf\u00e9 gr\u00fc\u00dfe unsubscribe here account"
                                + " password update team project")
                        .split(" ");

        Letter(int number) {
            this(number, new Random(number));
        }

        String text() {
            return header()
                    + switch (number % 4) {
                        case 0 -> part("text/plain", "8bit", words(1500));
                        case 1 -> part("text/html", "quoted-printable", quoted(html()));
                        case 2 ->
                            multipart(
                                    "alternative",
                                    part("text/plain", "quoted-printable", quoted(words(400))),
                                    part("text/html", "base64", base64(html())));
                        default ->
                            multipart(
                                    "mixed",
                                    part("text/html", "7bit", html()),
                                    part("application/octet-stream", "base64", base64(words(2000))));
                    };
        }

        private String header() {
            String id = "<" + Long.toHexString(random.nextLong()) + "@mail.sender.example>";
            return "Received: from a.example (a.example [192.0.2.7])\r\n\tby b.example with ESMTPS id " + number
                    + ";\r\n\tMon, 05 Jan 2026 10:00:00 +0000\r\n"
                    + "DKIM-Signature: v=1; a=rsa-sha256; d=sender.example; s=s1;\r\n\th=from:to:subject; b="
                    + base64(words(20))
                    + "From: =?utf-8?q?M=C3=BCller?= <news@sender.example>\r\nTo: user@dest.example\r\n"
                    + "Reply-To: \"Office, the\" <office" + number + "@reply.example>\r\n"
                    + "Subject: =?utf-8?B?" + base64("Your report").strip() + "?= " + words(6)
                    + "Message-ID: " + id + "\r\nDate: Mon, 05 Jan 2026 10:00:00 +0000\r\n"
                    + "List-Unsubscribe: <https://list.example/u/" + number + ">, <mailto:u@list.example>\r\n"
                    + "MIME-Version: 1.0\r\n";
        }

        private String words(int count) {
            StringBuilder text = new StringBuilder();
            for (int i = 1; i <= count; i++) {
                text.append(i % 60 == 0 ? link() : WORDS[random.nextInt(WORDS.length)]);
                text.append(i % 12 == 0 || i == count ? "\r\n" : " ");
            }
            return text.toString();
        }

        private String link() {
            String host =
                    random.nextInt(400) == 0 ? "login.bank.example" : "www" + random.nextInt(500) + ".shop.example";
            return switch (random.nextInt(4)) {
                case 0 -> host + "/offer";
                case 1 -> "user" + random.nextInt(99) + "@" + host;
                default ->
                    "https://" + host + "/a/b%20c/" + random.nextInt(9999) + "?id=" + random.nextInt(99999)
                            + "&utm_source=mail&t=" + Long.toHexString(random.nextLong());
            };
        }

        private String html() {
            return "<!DOCTYPE html><html><head><style>p { color: #333; background: url(https://img.example/b.png) }"
                    + "</style></head><body>"
                    + repeat(
                            20,
                            i -> "<table width=\"100%\"><tr><td style=\"padding:4px\"><p>" + words(40)
                                    + "&nbsp;&copy; &#8212;</p>\r\n<a href=\""
                                    + link().replace("&", "&amp;")
                                    + "\" target='_blank'><img src=\"https://img" + i
                                    + ".example/x.png\" alt=\"\"></a></td></tr></table>\r\n")
                    + "<!-- end --></body></html>\r\n";
        }

        private String multipart(String kind, String... parts) {
            return "Content-Type: multipart/" + kind + ";\r\n\tboundary=\"=_" + number + "\"\r\n\r\nMIME\r\n"
                    + repeat(parts.length, i -> "--=_" + number + "\r\n" + parts[i]) + "--=_" + number + "--\r\n";
        }

        private static String part(String type, String encoding, String body) {
            return "Content-Type: " + type + "; charset=iso-8859-1\r\nContent-Transfer-Encoding: " + encoding
                    + "\r\n\r\n" + body;
        }

        private static String base64(String text) {
            return Base64.getMimeEncoder().encodeToString(text.getBytes(StandardCharsets.ISO_8859_1)) + "\r\n";
        }

        private static String quoted(String text) {
            StringBuilder coded = new StringBuilder();
            for (char c : text.toCharArray()) {
                if (c == '=' || c > '~') {
                    coded.append("=%02X".formatted((int) c));
                } else {
                    coded.append(c);
                }
                if (coded.length() - coded.lastIndexOf("\n") > 74) {
                    coded.append("=\r\n");
                }
            }
            return coded.toString();
        }

        private static String repeat(int times, IntFunction<String> piece) {
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < times; i++) {
                all.append(piece.apply(i));
            }
            return all.toString();
        }
    }
}
