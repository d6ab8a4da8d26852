package org.bloomgate.app.cli;

/// Thrown for input that cannot be used. The message says what is wrong and what to do.
final class InputException extends Exception {
    private static final long serialVersionUID = 1L;

    InputException(String message) {
        super(message);
    }
}
