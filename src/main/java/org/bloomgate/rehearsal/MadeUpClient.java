package org.bloomgate.rehearsal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import org.bloomgate.nexthop.DeadlineSocket;
import org.bloomgate.nexthop.ReadWatch;

/// A client that says what it was given and is connected to nothing.
public final class MadeUpClient extends DeadlineSocket {
    private final InputStream says;
    private final ByteArrayOutputStream hears = new ByteArrayOutputStream();
    private boolean gone;

    public MadeUpClient(byte[] says, ReadWatch watch) {
        super(watch);
        this.says = new ByteArrayInputStream(says);
    }

    /// All replies.
    public String heard() {
        return hears.toString(StandardCharsets.ISO_8859_1);
    }

    /// Whether its message was taken.
    public boolean handedOver() {
        return heard().endsWith("250 2.0.0 Ok\r\n221 2.0.0 Bye\r\n");
    }

    @Override
    public InputStream getInputStream() {
        return says;
    }

    @Override
    public OutputStream getOutputStream() {
        return hears;
    }

    @Override
    public InetAddress getInetAddress() {
        return InetAddress.getLoopbackAddress();
    }

    @Override
    public int getPort() {
        return 0;
    }

    @Override
    public boolean isClosed() {
        return gone;
    }

    @Override
    public void close() {
        gone = true;
    }

    @Override
    public void shutdownOutput() {
        // nobody reads
    }
}
