package org.bloomgate.rehearsal;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.background.Background;

/// A next hop on a free port of this machine that takes mail to the made-up domain, reads it to its end and forgets
/// it. Mail to anybody else is refused, should a stranger find the port. Connections end after some messages, with a
/// 421 that nobody waits for, and every other one offers CHUNKING (RFC 3030): what a next hop does comes up.
public final class MadeUpNextHop implements AutoCloseable {
    /// More wait until one ends.
    static final int MOST_CONNECTIONS = 8;

    /// With its line end; a longer one ends the connection.
    static final int MOST_LINE_BYTES = 4096;

    /// On one connection.
    static final int MOST_MESSAGES = 50;

    private static final int PATIENCE_MILLIS = (int) Duration.ofSeconds(10).toMillis();
    private static final byte[] END = "\r\n.\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String OFFERS =
            "250-PIPELINING\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250-ENHANCEDSTATUSCODES\r\n250 SIZE\r\n";
    private static final String OFFERS_CHUNKING = "250-localhost\r\n250-CHUNKING\r\n" + OFFERS;
    private static final String OFFERS_NONE = "250-localhost\r\n" + OFFERS;
    private static final String FORGOTTEN = "250 2.0.0 Ok: forgotten\r\n";
    private static final String GOODBYE = "421 4.3.2 Enough for now\r\n";
    private static final Pattern CHUNK = Pattern.compile("BDAT ([0-9]{1,9})( LAST)?");

    private final Semaphore room = new Semaphore(MOST_CONNECTIONS);
    private final ServerSocket listener;
    private final Background accepting;

    /// @throws IOException when no port of this machine can be had
    public MadeUpNextHop() throws IOException {
        listener = new ServerSocket(0, MOST_CONNECTIONS, InetAddress.getLoopbackAddress());
        accepting = Background.start("warm-up-next-hop", this::accept);
    }

    /// Where it listens.
    public InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    /// Nobody listens afterwards: the system closes a port when the last thread that waits on it has left.
    @Override
    public void close() throws IOException {
        listener.close();
        accepting.close();
    }

    private void accept() throws InterruptedException {
        try {
            for (boolean chunking = false; !listener.isClosed(); chunking = !chunking) {
                room.acquire();
                Socket client = listener.accept();
                String offers = chunking ? OFFERS_CHUNKING : OFFERS_NONE;
                Thread.ofVirtual().name("warm-up-next-hop-", 0).start(() -> serve(client, offers));
            }
        } catch (IOException closed) {
            // nobody is waited for any more
        }
    }

    private void serve(Socket client, String offers) {
        try (client) {
            client.setTcpNoDelay(true);
            client.setSoTimeout(PATIENCE_MILLIS);
            OutputStream replies = client.getOutputStream();
            InputStream commands = new BufferedInputStream(client.getInputStream());
            say(replies, "220 localhost ready\r\n");
            int messages = 0;
            for (String line = line(commands); !line.isEmpty(); line = line(commands)) {
                if (line.startsWith("MAIL") && messages++ == MOST_MESSAGES) {
                    return;
                }
                if (line.equals("DATA")) {
                    say(replies, "354 Go on\r\n");
                    skipMessage(commands);
                }
                skipChunk(line, commands);
                String reply = reply(line, offers);
                boolean last = messages == MOST_MESSAGES && reply.equals(FORGOTTEN);
                say(replies, last ? reply + GOODBYE : reply);
                if (last) {
                    return;
                }
            }
        } catch (IOException gone) {
            // its mail was made up
        } finally {
            room.release();
        }
    }

    private static String reply(String line, String offers) {
        String verb = line.substring(0, Math.min(line.length(), 4)).toUpperCase(Locale.ROOT);
        return switch (verb) {
            case "EHLO" -> offers;
            case "RCPT" -> line.contains("@" + MadeUpMail.DOMAIN + ">") ? "250 2.1.5 Ok\r\n" : "550 5.7.1 Not here\r\n";
            case "DATA", "BDAT" -> FORGOTTEN;
            case "QUIT" -> "221 2.0.0 Bye\r\n";
            default -> "250 2.0.0 Ok\r\n";
        };
    }

    private static void skipChunk(String line, InputStream commands) throws IOException {
        Matcher chunk = CHUNK.matcher(line);
        if (chunk.matches()) {
            commands.skipNBytes(Long.parseLong(chunk.group(1)));
        }
    }

    private static void say(OutputStream replies, String reply) throws IOException {
        replies.write(reply.getBytes(StandardCharsets.US_ASCII));
    }

    /// Without its end; empty at the end of all.
    private static String line(InputStream commands) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int octet = commands.read(); octet >= 0 && octet != '\n'; octet = commands.read()) {
            if (line.length() + 2 > MOST_LINE_BYTES) {
                return "";
            }
            line.append((char) octet);
        }
        return line.toString().stripTrailing();
    }

    private static void skipMessage(InputStream commands) throws IOException {
        int matched = 2;
        while (matched < END.length) {
            int octet = commands.read();
            if (octet < 0) {
                throw new IOException("ended within a message");
            }
            matched = octet == END[matched] ? matched + 1 : octet == '\r' ? 1 : 0;
        }
    }
}
