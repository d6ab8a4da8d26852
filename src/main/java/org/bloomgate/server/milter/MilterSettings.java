package org.bloomgate.server.milter;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.bloomgate.base.net.Network;

/// The settings that a milter shares with the relay: limits and temporary files of messages, and the clients that
/// may connect.
///
/// @param clientNetworks who may connect besides this machine
/// @param maxConnections at one time; more are closed at once
/// @param maxRecipients of one message
/// @param maxMessageBytes of one message, header included
/// @param memoryBytesPerMessage of a message kept in memory; the rest goes to a temporary file
/// @param temporary directory of those files
/// @param hostname in the trace field of a message that is kept
/// @param drain for messages to finish when the milter closes
public record MilterSettings(
        List<Network> clientNetworks,
        int maxConnections,
        int maxRecipients,
        long maxMessageBytes,
        int memoryBytesPerMessage,
        Path temporary,
        String hostname,
        Duration drain) {

    public MilterSettings {
        clientNetworks = List.copyOf(clientNetworks);
    }
}
