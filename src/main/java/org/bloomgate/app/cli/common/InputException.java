package org.bloomgate.app.cli.common;

/// Thrown for input that cannot be used. The message says what is wrong and what to do.
public final class InputException extends Exception {
    private static final long serialVersionUID = 1L;

    public InputException(String message) {
        super(message);
    }
}
