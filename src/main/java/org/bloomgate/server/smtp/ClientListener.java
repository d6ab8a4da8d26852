package org.bloomgate.server.smtp;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Supplier;
import org.bloomgate.server.nexthop.DeadlineSocket;
import org.bloomgate.server.nexthop.ReadWatch;

/// Accepts connections in the form the relay works on.
final class ClientListener extends ServerSocket {
    private final Supplier<SessionContext> inForce;
    private final ReadWatch watch;

    /// @param inForce what sessions work with at the moment
    /// @param watch over the reads of its connections, which continues when it is closed
    ClientListener(Supplier<SessionContext> inForce, ReadWatch watch) throws IOException {
        this.inForce = inForce;
        this.watch = watch;
    }

    @Override
    public Socket accept() throws IOException {
        while (true) {
            DeadlineSocket raw = DeadlineSocket.forAccept(watch);
            implAccept(raw);
            try {
                raw.setTcpNoDelay(true);
                return new ClientSocket(raw, new ClientSession(raw, inForce));
            } catch (IOException e) {
                // gone before it was greeted; the library would take a second's rest
                raw.close();
            }
        }
    }
}
