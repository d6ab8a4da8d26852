package org.bloomgate.server.quarantine;

/// A bound of the quarantine; a message beyond it is deferred.
enum QuarantineBound {
    MESSAGES("quarantine.maxMessages is reached"),
    BYTES("it would exceed quarantine.maxBytes"),
    CLIENT("the client's network would have more than a tenth of the quarantine"),
    RECIPIENT("a recipient would have more than a tenth of the quarantine"),
    SPOOL("the file system of the spool would have room for less than four messages of smtp.maxMessageBytes");

    private final String text;

    QuarantineBound(String text) {
        this.text = text;
    }

    /// For the log.
    String text() {
        return text;
    }
}
