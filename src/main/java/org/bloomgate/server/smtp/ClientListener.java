package org.bloomgate.server.smtp;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Supplier;
import org.bloomgate.server.nexthop.DeadlineSocket;
import org.bloomgate.server.nexthop.ReadWatch;

/// Accepts connections and creates their sessions.
final class ClientListener extends ServerSocket {
    private final Supplier<SessionContext> context;
    private final ReadWatch watch;

    /// @param context the current context of sessions
    /// @param watch ends overdue reads of the connections; not closed with this
    ClientListener(Supplier<SessionContext> context, ReadWatch watch) throws IOException {
        this.context = context;
        this.watch = watch;
    }

    @Override
    public Socket accept() throws IOException {
        while (true) {
            DeadlineSocket raw = DeadlineSocket.forAccept(watch);
            implAccept(raw);
            try {
                raw.setTcpNoDelay(true);
                return new ClientSocket(raw, new ClientSession(raw, context));
            } catch (IOException e) {
                // closed before its greeting; the library would pause for a second after an exception
                raw.close();
            }
        }
    }
}
