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

/// Brings one file here, no longer and no other than the manifest says. Goes on where an earlier download broke off,
/// in this process or before it; a file that turns out to be wrong is emptied. Used once, by one thread at a time.
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

    /// When it returns the file is whole and on disk.
    ///
    /// @param target in a directory that exists
    /// @throws PublisherException when the publisher gives something else
    /// @throws IOException when the connection or the disk fails; what has come stays
    static void bring(Publisher publisher, String generation, ManifestFile file, Path target)
            throws IOException, InterruptedException {
        try (FileChannel channel = FileChannel.open(target, CREATE, READ, WRITE)) {
            new FileDownload(publisher, generation, file, channel).bring();
        }
    }

    private void bring() throws IOException, InterruptedException {
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
        HttpRequest.Builder request = publisher.request(generation + "/" + file.path());
        if (channel.position() > 0) {
            request.header("Range", "bytes=" + channel.position() + "-").header("If-Range", tag());
        }
        AtomicLong progress = new AtomicLong();
        HttpResponse<Long> answer = publisher.send(request.build(), head -> sink(head, progress), progress);
        switch (answer.statusCode()) {
            case 200, PARTIAL -> requireWhole();
            case NOT_SATISFIABLE -> {
                startAgain();
                throw new PublisherException(file.path() + ": the publisher's file is another (status 416)");
            }
            default -> throw new PublisherException(file.path() + ": status " + answer.statusCode());
        }
    }

    /// The tag of a file is its SHA-256: a publisher whose file is another one sends all of it.
    private String tag() {
        return "\"" + file.sha256() + "\"";
    }

    private BoundedBody<Long> sink(ResponseInfo head, AtomicLong progress) {
        try {
            switch (head.statusCode()) {
                case 200 -> startAgain();
                case PARTIAL -> requirePart(head);
                default -> {
                    return BoundedBody.discarded(0L);
                }
            }
            return body(this::take, file.sizeBytes() - channel.position(), progress);
        } catch (IOException fault) {
            return body(
                    bytes -> {
                        throw fault;
                    },
                    Long.MAX_VALUE,
                    progress);
        }
    }

    private static BoundedBody<Long> body(BoundedBody.Bytes to, long maxBytes, AtomicLong progress) {
        return BoundedBody.to(to, maxBytes, progress, () -> Publisher.tooLong(maxBytes));
    }

    private void requirePart(ResponseInfo head) throws IOException {
        String wanted = "bytes " + channel.position() + "-" + (file.sizeBytes() - 1) + "/" + file.sizeBytes();
        if (!head.headers().firstValue("Content-Range").orElse("").equals(wanted)) {
            throw new PublisherException(file.path() + ": not the part that was asked for");
        }
    }

    private void take(ByteBuffer bytes) throws IOException {
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
