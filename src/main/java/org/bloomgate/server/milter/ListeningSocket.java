package org.bloomgate.server.milter;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Optional;
import org.bloomgate.base.net.CannotListenException;

/// A listening socket, TCP or Unix. The socket file of a gateway that was killed is replaced; a file that a
/// process listens on, or that is not a socket, is not touched. Only the user and the group of the file may
/// connect.
final class ListeningSocket implements AutoCloseable {
    private static final int BACKLOG = 1024;

    private final ServerSocketChannel channel;
    private final MilterAddress address;
    private final Optional<Path> file;
    private final Optional<Object> fileKey;

    private ListeningSocket(
            ServerSocketChannel channel, MilterAddress address, Optional<Path> file, Optional<Object> fileKey) {
        this.channel = channel;
        this.address = address;
        this.file = file;
        this.fileKey = fileKey;
    }

    /// @throws IOException if the address is in use or not local; the message has the configuration key
    static ListeningSocket open(MilterAddress address) throws IOException {
        try {
            return switch (address) {
                case MilterAddress.Tcp tcp -> openTcp(tcp);
                case MilterAddress.Unix(Path path) -> openUnix(path);
            };
        } catch (IOException e) {
            throw new CannotListenException("milter.listen", address, e);
        }
    }

    private static ListeningSocket openTcp(MilterAddress.Tcp address) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(address.resolve(), BACKLOG);
            int port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
            MilterAddress used = new MilterAddress.Tcp(address.address().withPort(port));
            return new ListeningSocket(channel, used, Optional.empty(), Optional.empty());
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static ListeningSocket openUnix(Path path) throws IOException {
        removeLeftover(path);
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.bind(UnixDomainSocketAddress.of(path), BACKLOG);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw----"));
            return new ListeningSocket(channel, new MilterAddress.Unix(path), Optional.of(path), readFileKey(path));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static void removeLeftover(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!readAttributes(path).isOther()) {
            throw new BindException("there is a file that is not a socket");
        }
        try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            throw new BindException("another process listens there");
        } catch (ConnectException e) {
            Files.deleteIfExists(path);
        }
    }

    private static BasicFileAttributes readAttributes(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static Optional<Object> readFileKey(Path path) throws IOException {
        return Optional.ofNullable(readAttributes(path).fileKey());
    }

    /// Waits for the next connection.
    SocketChannel accept() throws IOException {
        SocketChannel accepted = channel.accept();
        if (file.isEmpty()) {
            accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        return accepted;
    }

    /// The address with the port in use.
    MilterAddress address() {
        return address;
    }

    /// Closes the socket and deletes its file, unless the file is another one by now.
    @Override
    public void close() throws IOException {
        channel.close();
        if (file.isPresent()
                && Files.exists(file.get(), LinkOption.NOFOLLOW_LINKS)
                && Objects.equals(fileKey, readFileKey(file.get()))) {
            Files.deleteIfExists(file.get());
        }
    }
}
