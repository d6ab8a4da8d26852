package org.bloomgate.disk;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// What went wrong with a file, in words: the exceptions of `java.nio.file` name the file and leave the
/// rest to their class.
public final class IoText {
    private IoText() {}

    /// Without the name of the file.
    public static String of(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "no such file";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException file when file.getReason() != null -> file.getReason();
            default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        };
    }
}
