package org.bloomgate.server.smtp;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import org.bloomgate.server.nexthop.DeadlineSocket;

/// The accepted connection for SubEthaSMTP: the library reads nothing from it and writes only a rejection. The
/// session itself uses [ClientSession] and [ClientConnection].
final class ClientSocket extends Socket {
    private final DeadlineSocket raw;
    private final ClientSession session;

    ClientSocket(DeadlineSocket raw, ClientSession session) throws SocketException {
        super((SocketImpl) null);
        this.raw = raw;
        this.session = session;
    }

    ClientSession session() {
        return session;
    }

    @Override
    public InputStream getInputStream() {
        return InputStream.nullInputStream();
    }

    @Override
    public OutputStream getOutputStream() {
        return session.connection().replies();
    }

    /// Has no effect after an admitted session, which has closed the connection.
    @Override
    public void close() {
        session.connection().close();
    }

    @Override
    public void setSoTimeout(int millis) {
        // the timeouts are the deadlines of DeadlineSocket
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return raw.getRemoteSocketAddress();
    }

    @Override
    public InetAddress getInetAddress() {
        return raw.getInetAddress();
    }

    @Override
    public int getPort() {
        return raw.getPort();
    }

    @Override
    public boolean isConnected() {
        return raw.isConnected();
    }

    @Override
    public boolean isBound() {
        return raw.isBound();
    }

    @Override
    public boolean isClosed() {
        return raw.isClosed();
    }
}
