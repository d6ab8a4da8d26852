package org.bloomgate.rehearsal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// A client on this machine that says what it was given, command by command, on a connection of its own.
public final class MadeUpClient {
    private static final int PATIENCE_MILLIS = (int) Duration.ofSeconds(10).toMillis();

    private static final String GO_ON = "354";

    private final int port;

    /// @param port of the loopback address, on which a relay listens
    public MadeUpClient(int port) {
        this.port = port;
    }

    /// The reply to the message.
    ///
    /// @throws IOException when the relay is gone or silent, or does not want the message
    public String play(MadeUpMail.Session session) throws IOException {
        try (Socket relay = new Socket(InetAddress.getLoopbackAddress(), port)) {
            relay.setTcpNoDelay(true);
            relay.setSoTimeout(PATIENCE_MILLIS);
            OutputStream says = relay.getOutputStream();
            BufferedReader hears =
                    new BufferedReader(new InputStreamReader(relay.getInputStream(), StandardCharsets.ISO_8859_1));
            String heard = reply(hears);
            for (String command : session.commands()) {
                says.write(command.getBytes(StandardCharsets.US_ASCII));
                heard = reply(hears);
            }
            if (!heard.startsWith(GO_ON)) {
                throw new IOException(heard);
            }
            says.write(session.message().getBytes(StandardCharsets.UTF_8));
            String taken = reply(hears);
            says.write("QUIT\r\n".getBytes(StandardCharsets.US_ASCII));
            reply(hears);
            return taken;
        }
    }

    /// The last line of the next reply.
    private static String reply(BufferedReader hears) throws IOException {
        String line;
        do {
            line = hears.readLine();
            if (line == null) {
                throw new IOException("the relay has closed the connection");
            }
        } while (line.startsWith("-", 3));
        return line;
    }
}
