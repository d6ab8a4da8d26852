package org.bloomgate.app.cli;

/// Something the caller gave that cannot be used; the message says what and what to do.
final class InputException extends Exception {
    private static final long serialVersionUID = 1L;

    InputException(String message) {
        super(message);
    }
}
