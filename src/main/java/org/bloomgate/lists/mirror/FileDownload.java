package org.bloomgate.lists.mirror;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.base.net.BoundedBody;
import org.bloomgate.lists.snapshot.ManifestFile;

/// The download of one file, of the size and digest in the manifest. It continues an earlier download, also of
/// another process; a file with another digest is emptied. Used once, by one thread.
final class FileDownload {
    private static final int PARTIAL = 206;
    private static final int NOT_SATISFIABLE = 416;

    private final Publisher publisher;
    private final String generation;
    private final ManifestFile file;
    private final FileChannel channel;
    private MessageDigest digest = Sha256.begin();

    private FileDownload(Publisher publisher, String generation, ManifestFile file, FileChannel channel) {
        this.publisher = publisher;
        this.generation = generation;
        this.file = file;
        this.channel = channel;
    }

    /// Fetches a file. When this returns, the file is complete and on disk.
    ///
    /// @param target in a directory that exists
    /// @throws PublisherException if the publisher sends something else
    /// @throws IOException if the connection or the disk fails; the received part stays
    static void fetch(Publisher publisher, String generation, ManifestFile file, Path target)
            throws IOException, InterruptedException {
        try (FileChannel channel = FileChannel.open(target, CREATE, READ, WRITE)) {
            new FileDownload(publisher, generation, file, channel).fetch();
        }
    }

    private void fetch() throws IOException, InterruptedException {
        if (channel.size() > file.sizeBytes()) {
            startAgain();
        }
        Sha256.update(digest, channel);
        if (channel.position() < file.sizeBytes()) {
            fetchRest();
        }
        if (!HexFormat.of().formatHex(digest.digest()).equals(file.sha256())) {
            startAgain();
            throw new PublisherException(file.path() + ": SHA-256 is not what the manifest says");
        }
        channel.force(true);
    }

    private void startAgain() throws IOException {
        channel.truncate(0);
        digest = Sha256.begin();
    }

    private void fetchRest() throws IOException, InterruptedException {
        HttpRequest.Builder request = publisher.createRequest(generation + "/" + file.path());
        if (channel.position() > 0) {
            // No If-Range: a static web server does not know the digest, which is checked at the end.
            request.header("Range", "bytes=" + channel.position() + "-");
        }
        AtomicLong progress = new AtomicLong();
        HttpResponse<Long> response = publisher.send(request.build(), head -> chooseBody(head, progress), progress);
        switch (response.statusCode()) {
            case 200, PARTIAL -> requireWhole();
            case NOT_SATISFIABLE -> {
                startAgain();
                throw new PublisherException(file.path() + ": the file of the publisher has another size (status 416)");
            }
            default -> throw new PublisherException(file.path() + ": status " + response.statusCode());
        }
    }

    private BoundedBody<Long> chooseBody(ResponseInfo head, AtomicLong progress) {
        try {
            switch (head.statusCode()) {
                case 200 -> startAgain();
                case PARTIAL -> requirePart(head);
                default -> {
                    return BoundedBody.discarded(0L);
                }
            }
            return createBody(this::append, file.sizeBytes() - channel.position(), progress);
        } catch (IOException fault) {
            return createBody(
                    bytes -> {
                        throw fault;
                    },
                    Long.MAX_VALUE,
                    progress);
        }
    }

    private static BoundedBody<Long> createBody(BoundedBody.Bytes sink, long maxBytes, AtomicLong progress) {
        return BoundedBody.to(sink, maxBytes, progress, () -> Publisher.createTooLongException(maxBytes));
    }

    private void requirePart(ResponseInfo head) throws IOException {
        String requestedRange = "bytes " + channel.position() + "-" + (file.sizeBytes() - 1) + "/" + file.sizeBytes();
        if (!head.headers().firstValue("Content-Range").orElse("").equals(requestedRange)) {
            throw new PublisherException(file.path() + ": not the requested range");
        }
    }

    private void append(ByteBuffer bytes) throws IOException {
        digest.update(bytes.duplicate());
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private void requireWhole() throws IOException {
        if (channel.size() < file.sizeBytes()) {
            throw new PublisherException(
                    file.path() + ": ends after " + channel.size() + " of " + file.sizeBytes() + " bytes");
        }
    }
}
