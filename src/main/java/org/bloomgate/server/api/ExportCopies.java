package org.bloomgate.server.api;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.bloomgate.lists.export.ExportReport;

/// The copies of exports that may leave this site. Thread-safe.
public interface ExportCopies {

    /// The copy of an export of the current lists, created if there is none yet. Empty if there is no such export.
    ///
    /// @throws IOException if it cannot be written
    Optional<Copy> copy(String name) throws IOException;

    /// @param file with its content
    /// @param packed the same content, compressed with gzip
    /// @param report of its content
    record Copy(String mediaType, Path file, Path packed, ExportReport report) {}
}
