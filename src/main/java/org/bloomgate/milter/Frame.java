package org.bloomgate.milter;

/// One packet of the protocol. Its data are part of the reader's buffer and gone with the next one.
///
/// @param command a letter
/// @param from of the data
/// @param to end of the data
record Frame(byte command, byte[] octets, int from, int to) {

    int length() {
        return to - from;
    }
}
