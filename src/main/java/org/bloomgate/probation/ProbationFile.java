package org.bloomgate.probation;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.disk.DurableFiles;
import org.bloomgate.disk.IoText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which feeds are on probation, in `probation.json` beside the local entries: a JSON array of [Probation], replaced
/// whole by rename. One that is damaged counts as none, with a word in the log: the next round weighs the errors again.
public final class ProbationFile {
    public static final String NAME = "probation.json";

    /// Far above what feeds there may be.
    static final int MAX_BYTES = 4 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(ProbationFile.class);
    private static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();
    private static final ObjectReader READER = JSON.readerFor(Probation[].class);

    private final Path file;

    /// @param directory of the local entries
    public ProbationFile(Path directory) {
        this.file = directory.resolve(NAME);
    }

    public Path path() {
        return file;
    }

    /// All that was kept, those that have ended among them.
    public List<Probation> read() {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] octets = in.readNBytes(MAX_BYTES + 1);
            if (octets.length > MAX_BYTES) {
                throw new IOException("more than " + MAX_BYTES + " octets");
            }
            Probation[] kept = Optional.ofNullable(READER.<Probation[]>readValue(octets))
                    .filter(all -> Stream.of(all).noneMatch(Objects::isNull))
                    .orElseThrow(() -> new IOException("it holds nothing"));
            return List.of(kept);
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException damaged) {
            LOG.warn("{}: which feeds are on probation is not known and found anew: {}", file, IoText.of(damaged));
            return List.of();
        }
    }

    void write(List<Probation> all) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        DurableFiles.replace(file, JSON.writeValueAsBytes(all));
    }
}
