package org.bloomgate.server.http;

import io.helidon.common.socket.SocketOptions;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Socket options that also report each accepted socket. The server applies them to every accepted socket
/// before the TLS handshake, which is its only call at that time, and closes the socket if the call fails.
///
/// @param onAccept called first, on the thread that accepts
record AcceptedSockets(SocketOptions delegate, Consumer<SocketChannel> onAccept) implements SocketOptions {
    @Override
    public void configureSocket(SocketChannel socket) {
        onAccept.accept(socket);
        delegate.configureSocket(socket);
    }

    @Override
    public Map<SocketOption<?>, Object> socketOptions() {
        return delegate.socketOptions();
    }

    @Override
    public Duration connectTimeout() {
        return delegate.connectTimeout();
    }

    @Override
    public Duration readTimeout() {
        return delegate.readTimeout();
    }

    @Override
    public Optional<Integer> socketReceiveBufferSize() {
        return delegate.socketReceiveBufferSize();
    }

    @Override
    public Optional<Integer> socketSendBufferSize() {
        return delegate.socketSendBufferSize();
    }

    @Override
    public boolean socketReuseAddress() {
        return delegate.socketReuseAddress();
    }

    @Override
    public boolean socketKeepAlive() {
        return delegate.socketKeepAlive();
    }

    @Override
    public boolean tcpNoDelay() {
        return delegate.tcpNoDelay();
    }
}
