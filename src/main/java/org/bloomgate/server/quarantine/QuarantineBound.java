package org.bloomgate.server.quarantine;

/// A bound of the quarantine at which a message is deferred.
enum QuarantineBound {
    MESSAGES("there are quarantine.maxMessages"),
    BYTES("with it there would be more than quarantine.maxBytes"),
    CLIENT("the client's network would hold more than a tenth"),
    RECIPIENT("a recipient would hold more than a tenth"),
    SPOOL("the file system of the spool would have less left than four messages of smtp.maxMessageBytes");

    private final String text;

    QuarantineBound(String text) {
        this.text = text;
    }

    /// For the log.
    String text() {
        return text;
    }
}
