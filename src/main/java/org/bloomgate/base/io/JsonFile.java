package org.bloomgate.base.io;

import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A small file of state with one JSON object, which is replaced by rename: a reader sees the old object or the
/// new one. Reading is as strict as [OwnJson]. Thread-safe.
public final class JsonFile<T> {
    private static final Logger LOG = LoggerFactory.getLogger(JsonFile.class);

    private final Path path;
    private final int maxBytes;
    private final ObjectReader reader;
    private final ObjectWriter writer;

    /// @param maxBytes of the file; a longer one is not read
    public JsonFile(Path path, int maxBytes, Class<T> type) {
        this.path = path.toAbsolutePath();
        this.maxBytes = maxBytes;
        this.reader = OwnJson.MAPPER.readerFor(type);
        this.writer = OwnJson.MAPPER.writerFor(type);
    }

    public Path path() {
        return path;
    }

    /// The content; empty if there is no file.
    ///
    /// @throws IOException if the file is damaged or cannot be read
    public Optional<T> read() throws IOException {
        try {
            T content = reader.readValue(StateFile.bytes(path, maxBytes));
            return Optional.of(Optional.ofNullable(content).orElseThrow(() -> new IOException("contains null")));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /// The content; empty if there is no file, or if it is damaged or cannot be read, which is logged.
    ///
    /// @param consequence for the log, for example `the counts start at zero`
    public Optional<T> readOrRestart(String consequence) {
        try {
            return read();
        } catch (IOException e) {
            LOG.warn("{}: damaged, {}: {}", path, consequence, IoText.of(e));
            return Optional.empty();
        }
    }

    /// Replaces the file; creates its folder if necessary. The content is on disk when this returns.
    public void write(T content) throws IOException {
        Files.createDirectories(folder());
        DurableFiles.replace(path, writer.writeValueAsBytes(content));
    }

    /// Takes the lock of this file, which no method of this class needs; empty while another process or thread
    /// holds it.
    public Optional<LockFile> tryLock() throws IOException {
        return LockFile.tryHold(folder(), "." + path.getFileName() + ".lock");
    }

    private Path folder() {
        return Optional.ofNullable(path.getParent()).orElse(path);
    }
}
