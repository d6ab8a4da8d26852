package org.bloomgate.base.io;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;

/// Describes an I/O error in words: the exceptions of `java.nio.file` contain only the file name.
public final class IoText {
    private IoText() {}

    /// Without the name of the file.
    public static String of(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "no such file";
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException _ -> "it is there already";
            case CharacterCodingException _ -> "it is not in UTF-8";
            case NotDirectoryException _ -> "not a directory";
            case FileSystemException file when file.getReason() != null -> file.getReason();
            case EOFException eof when eof.getMessage() == null -> "it ended early";
            case ClosedChannelException _ -> "it was closed";
            default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        };
    }

    /// Describes the error, with the file's name if it is about one. Other exceptions are described as Java
    /// does.
    public static String describe(Exception e) {
        return switch (e) {
            case UncheckedIOException unchecked ->
                Optional.ofNullable(unchecked.getCause()).map(IoText::describe).orElseGet(unchecked::toString);
            case FileSystemException file when file.getFile() != null -> file.getFile() + ": " + of(file);
            case IOException ioException -> of(ioException);
            default -> e.toString();
        };
    }
}
