package org.bloomgate.disk;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Which code this is, for what must not outlive it.
public final class OwnCode {
    private OwnCode() {}

    /// Equal for the same jar with the same libraries beside it; of classes in a folder, where that is.
    ///
    /// @throws IOException when it cannot be read
    public static String identity() throws IOException {
        Path at = location();
        StringBuilder identity = new StringBuilder(at.toString());
        if (Files.isRegularFile(at)) {
            identity.append(' ').append(Fingerprint.of(at));
            for (Path library : DurableFiles.regularFiles(at.resolveSibling("lib"))) {
                identity.append(' ').append(library.getFileName()).append(' ').append(Files.size(library));
            }
        }
        return identity.toString();
    }

    private static Path location() throws IOException {
        try {
            return Path.of(OwnCode.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException | IllegalArgumentException noFile) {
            throw new IOException(noFile);
        }
    }
}
