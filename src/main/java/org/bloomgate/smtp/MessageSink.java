package org.bloomgate.smtp;

/// Takes the octets of a message in order. What goes wrong is remembered and asked for at the end, as the client's
/// octets have to be read to the end all the same.
interface MessageSink {

    void write(byte[] octets, int from, int to);
}
