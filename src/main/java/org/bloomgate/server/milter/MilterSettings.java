package org.bloomgate.server.milter;

import java.time.Duration;
import java.util.List;
import org.bloomgate.base.net.Network;
import org.bloomgate.server.spool.MessageContext;

/// The settings that the milter shares with the relay: limits and temporary files of messages, and the clients
/// that may connect.
///
/// @param clientNetworks networks that may connect, in addition to this machine
/// @param maxConnections open at the same time; more are closed at once
/// @param maxMessageBytes of one message, header included
/// @param drain how long closing waits for open messages
public record MilterSettings(
        List<Network> clientNetworks,
        int maxConnections,
        long maxMessageBytes,
        Duration drain,
        MessageContext.Settings messages) {

    public MilterSettings {
        clientNetworks = List.copyOf(clientNetworks);
    }
}
