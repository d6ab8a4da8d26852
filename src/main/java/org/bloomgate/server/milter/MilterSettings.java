package org.bloomgate.server.milter;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.bloomgate.base.net.Network;

/// The settings that the milter shares with the relay: limits and temporary files of messages, and the clients
/// that may connect.
///
/// @param clientNetworks networks that may connect, in addition to this machine
/// @param maxConnections open at the same time; more are closed at once
/// @param maxRecipients of one message
/// @param maxMessageBytes of one message, header included
/// @param memoryBytesPerMessage of a message in memory; the rest goes to a temporary file
/// @param temporary directory of those files
/// @param hostname in the trace field of a quarantined message
/// @param drain how long closing waits for open messages
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
