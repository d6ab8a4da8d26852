package org.bloomgate.server.http;

import io.helidon.common.socket.SocketOptions;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Options of connections, which the server applies to each socket that it has accepted: its one call before the TLS
/// handshake. The server closes the socket when the call fails.
///
/// @param onAccept called first, on the thread that accepts
record AcceptedSockets(SocketOptions of, Consumer<SocketChannel> onAccept) implements SocketOptions {
    @Override
    public void configureSocket(SocketChannel socket) {
        onAccept.accept(socket);
        of.configureSocket(socket);
    }

    @Override
    public Map<SocketOption<?>, Object> socketOptions() {
        return of.socketOptions();
    }

    @Override
    public Duration connectTimeout() {
        return of.connectTimeout();
    }

    @Override
    public Duration readTimeout() {
        return of.readTimeout();
    }

    @Override
    public Optional<Integer> socketReceiveBufferSize() {
        return of.socketReceiveBufferSize();
    }

    @Override
    public Optional<Integer> socketSendBufferSize() {
        return of.socketSendBufferSize();
    }

    @Override
    public boolean socketReuseAddress() {
        return of.socketReuseAddress();
    }

    @Override
    public boolean socketKeepAlive() {
        return of.socketKeepAlive();
    }

    @Override
    public boolean tcpNoDelay() {
        return of.tcpNoDelay();
    }
}
