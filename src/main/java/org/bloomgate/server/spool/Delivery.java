package org.bloomgate.server.spool;

import java.io.IOException;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.decision.evaluation.MessageDecision;
import org.bloomgate.decision.evaluation.RecipientSplit;

/// Carries out the decision about a message in the protocol of a listener. [MessagePipeline] calls exactly one
/// method for each message, on the message's thread.
///
/// @param <A> the answer of the listener's protocol
public interface Delivery<A> {
    /// An answer, and what the decision journal records as the reply.
    record Outcome<A>(A answer, String recorded) {}

    /// Delivers the message unchanged.
    ///
    /// @throws IOException if the spooled message cannot be read back; the client gets a temporary error
    Outcome<A> pass(MessageDecision decision) throws IOException;

    /// Delivers the message with fields that name the kind of finding.
    ///
    /// @throws IOException as [#pass] does
    Outcome<A> tag(MessageDecision decision) throws IOException;

    /// Stores the message in the quarantine instead of delivering it.
    Outcome<A> quarantine(MessageDecision decision);

    /// Accepts the message and drops it.
    Outcome<A> discard(MessageDecision decision);

    /// Delivers the message to some recipients and not to others.
    ///
    /// @throws IOException as [#pass] does
    Outcome<A> split(MessageDecision decision, RecipientSplit.Apart split) throws IOException;

    /// Answers with an SMTP reply, which accepts, defers or rejects the message.
    A reply(Reply reply);
}
