package org.bloomgate.content.mime;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Function;
import org.apache.james.mime4j.MimeException;
import org.bloomgate.content.links.Inspection;
import org.bloomgate.content.links.KeyExtractor;
import org.bloomgate.content.links.MessageSummary;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PhoneNumbers;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.core.limit.ReadingStopped;

/// Reads messages, and adds every identifier in a message to a [KeyBatch]. Thread-safe.
public final class MessageReader {
    /// The most workspaces kept for the next messages: about as many as messages are read at the same time.
    private static final int KEPT_WORKSPACES = 16;

    /// The most batches kept, of 10 KB each and 80 KB at most: for 64 sessions between MAIL and the end of a message.
    private static final int KEPT_BATCHES = 64;

    private final MessageLimits limits;
    private final Function<MessageLimits, Allowance> allowances;
    private final LargeBuffers largeBuffers = new LargeBuffers();
    private final BlockingQueue<KeyBatch> batches = new ArrayBlockingQueue<>(KEPT_BATCHES);
    private final BlockingQueue<Workspace> idleWorkspaces = new ArrayBlockingQueue<>(KEPT_WORKSPACES);

    public MessageReader(MessageLimits limits) {
        this(limits, Allowance::new);
    }

    MessageReader(MessageLimits limits, Function<MessageLimits, Allowance> allowances) {
        this.limits = limits;
        this.allowances = allowances;
    }

    /// The parser of phone numbers, with the countries whose numbers are read without country code.
    public PhoneNumbers phones() {
        return limits.phones();
    }

    /// An empty batch for one message, which must be given back.
    public KeyBatch takeBatch() {
        KeyBatch batch = batches.poll();
        return batch == null ? new KeyBatch() : batch;
    }

    /// Returns a batch, which the caller must not use any more.
    public void giveBack(KeyBatch batch) {
        if (batch.worthKeeping()) {
            batch.erase();
            batches.offer(batch);
        } else {
            batch.clear();
        }
    }

    /// A new allowance for one message; its holder may stop the reading.
    public Allowance createAllowance() {
        return allowances.apply(limits);
    }

    /// Reads a message, which keeps the heap of its keys until the batch is cleared, also after an exception.
    ///
    /// @param message the bytes that will be relayed, without SMTP's dot-stuffing
    /// @param suffixes the public suffix list of the snapshot that is used for lookups
    /// @param kinds of keys that are looked up: files are digested only if [KeyKind#HASH] is among them
    /// @param batch receives identifiers and keys; it is not cleared before
    /// @param allowance of this message
    /// @throws IOException only if the stream itself fails; no content makes this method throw
    /// @throws ReadingStopped after the allowance was stopped
    public Inspection read(
            InputStream message, PublicSuffixes suffixes, Set<KeyKind> kinds, KeyBatch batch, Allowance allowance)
            throws IOException {
        Workspace spare = idleWorkspaces.poll();
        Workspace workspace = spare == null ? new Workspace(largeBuffers) : spare;
        KeyExtractor keys = new KeyExtractor(suffixes, kinds, batch, allowance);
        RecentBytes bytes = RecentBytes.ofMessage(message, allowance, workspace.recentBuffer());
        long keptBefore = allowance.keptBytes();
        batch.onClear(() -> allowance.keptBackTo(keptBefore));
        MessageSummary summary;
        try {
            summary = readWithBuffers(bytes, keys, workspace);
            keys.endOfMessage();
        } finally {
            allowance.heapBackTo(0);
        }
        if (workspace.isWorthKeeping()) {
            idleWorkspaces.offer(workspace);
        } else {
            workspace.giveBackLarge();
        }
        return Inspection.of(allowance, summary);
    }

    private static MessageSummary readWithBuffers(RecentBytes bytes, KeyExtractor keys, Workspace workspace)
            throws IOException {
        workspace.parser().install();
        try {
            return read(bytes, keys, workspace, Nesting.NONE);
        } finally {
            workspace.parser().uninstall();
        }
    }

    /// Reads a message, or one that is a file in another one.
    static MessageSummary read(RecentBytes bytes, KeyExtractor keys, Workspace workspace, Nesting nesting)
            throws IOException {
        PartReader parts = new PartReader(keys, workspace, nesting);
        HeaderFields fields = new HeaderFields(keys);
        try {
            new MimeWalk(bytes, fields, parts, workspace, keys.allowance(), nesting).walk();
        } catch (MimeException _) {
            keys.allowance().reached(Limit.MALFORMED);
            parts.readRaw(bytes.openAgain());
        } catch (IOException e) {
            if (bytes.hasSourceFailed()) {
                throw e;
            }
            keys.allowance().reached(Limit.MALFORMED);
            parts.readRaw(bytes.openAgain());
        } catch (RuntimeException | StackOverflowError e) {
            keys.allowance().fault(e);
            parts.readRaw(bytes.openAgain());
        }
        bytes.rethrowSourceFault();
        return fields.summary();
    }
}
