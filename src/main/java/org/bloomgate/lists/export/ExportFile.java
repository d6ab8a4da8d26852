package org.bloomgate.lists.export;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.OptionalLong;
import org.bloomgate.base.io.DurableFiles;

/// The file of an export. It is replaced in one step, and only when its content other than the serial number changed:
/// readers, also after a crash, see the old content or the new content.
public final class ExportFile {
    private static final String READABLE_BY_ALL = "rw-r--r--";

    private ExportFile() {}

    /// @param changed whether the file was replaced
    public record Outcome(boolean changed, ExportReport report) {}

    /// @param work folder for the sort, created and deleted here
    /// @throws IOException if the export cannot be written; the file stays as it is
    public static Outcome replace(Path file, String name, ExportFormat format, Export export, Path work, Instant now)
            throws IOException {
        OptionalLong before = ZoneSerial.read(file, name);
        long next = ZoneSerial.next(before, now.getEpochSecond());
        Path temporary = file.resolveSibling("." + file.getFileName() + ".tmp");
        try {
            ExportReport report;
            try (ExportOutput out =
                    new ExportOutput(name, format, before.orElse(next), Files.newOutputStream(temporary))) {
                report = export.write(out, work);
            }
            boolean same = Files.exists(file) && Files.mismatch(temporary, file) < 0;
            if (!same) {
                if (format == ExportFormat.RPZ) {
                    setSerial(temporary, name, next);
                }
                Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString(READABLE_BY_ALL));
                DurableFiles.force(temporary);
                DurableFiles.rename(temporary, file);
            }
            return new Outcome(!same, report);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static void setSerial(Path file, String zone, long serial) throws IOException {
        try (FileChannel channel = FileChannel.open(file, WRITE)) {
            ByteBuffer digits = ByteBuffer.wrap(ZoneSerial.text(serial).getBytes(US_ASCII));
            int written = channel.write(digits, ZoneSerial.before(zone).length());
            if (written != digits.capacity()) {
                throw new IOException(file + ": the serial number was not completely written");
            }
        }
    }

    /// Writes an export to a stream, which stays open. A zone gets the time as its serial number.
    public static ExportReport print(
            OutputStream out, String name, ExportFormat format, Export export, Path work, Instant now)
            throws IOException {
        ExportOutput output = new ExportOutput(name, format, now.getEpochSecond(), out);
        ExportReport report = export.write(output, work);
        output.flush();
        return report;
    }
}
