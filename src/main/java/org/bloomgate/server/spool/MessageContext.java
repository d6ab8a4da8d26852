package org.bloomgate.server.spool;

import java.nio.file.Path;
import org.bloomgate.decision.evaluation.ConnectingClient;
import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.lookup.tier.LayerSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The services and settings with which a listener handles messages. Thread-safe.
///
/// @param memory for the messages of all listeners
public record MessageContext(
        LayerSource layers, MessageEvaluator evaluator, MailRecords records, MemoryBudget memory, Settings settings) {
    private static final Logger LOG = LoggerFactory.getLogger(MessageContext.class);

    /// @param hostname of this gateway in the trace field
    /// @param maxRecipients of one message
    /// @param memoryBytesPerMessage of a message in memory; the rest goes to a temporary file
    /// @param temporary directory of those files
    public record Settings(String hostname, int maxRecipients, int memoryBytesPerMessage, Path temporary) {}

    /// A spool for one message.
    public MessageSpool createSpool(long maxBytes) {
        return new MessageSpool(memory, settings.memoryBytesPerMessage(), settings.temporary(), maxBytes);
    }

    /// True if a feed with `atConnect` lists the client's address. After a fault the client is admitted: its
    /// messages are evaluated anyway.
    ///
    /// @param listener for the log
    /// @param clientText for the log
    public boolean rejectsAtConnect(ConnectingClient client, String listener, String clientText) {
        try {
            boolean rejected = evaluator.rejectsAtConnect(layers, client);
            if (rejected) {
                LOG.info("{}: client {}: rejected at connect", listener, clientText);
            }
            return rejected;
        } catch (RuntimeException | StackOverflowError | InternalError e) {
            LOG.error("{}: client {}: lookup failed", listener, clientText, e);
            return false;
        }
    }
}
