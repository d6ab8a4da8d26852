package org.bloomgate.smtp;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import org.bloomgate.nexthop.DeadlineSocket;
import org.bloomgate.nexthop.ReadWatch;

/// Accepts connections in the form the relay works on.
final class ClientListener extends ServerSocket {
    private final Listener listener;
    private final ReadWatch watch = new ReadWatch("smtp-reads");

    ClientListener(Listener listener) throws IOException {
        this.listener = listener;
    }

    @Override
    public Socket accept() throws IOException {
        while (true) {
            DeadlineSocket raw = DeadlineSocket.toAccept(watch);
            implAccept(raw);
            try {
                raw.setTcpNoDelay(true);
                return new ClientSocket(raw, new ClientSession(raw, listener::inForce));
            } catch (IOException e) {
                // gone before it was greeted; the library would take a second's rest
                raw.close();
            }
        }
    }

    @Override
    public void close() throws IOException {
        watch.close();
        super.close();
    }
}
