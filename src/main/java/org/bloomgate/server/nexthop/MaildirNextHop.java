package org.bloomgate.server.nexthop;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.bloomgate.base.io.FullDisk;
import org.bloomgate.base.io.IoText;
import org.bloomgate.core.smtp.Capabilities;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.core.smtp.Reply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A next hop that is a [maildir](https://cr.yp.to/proto/maildir.html): for a first try without a mail server,
/// and for tests.
///
/// A file contains the added fields and then the message, byte by byte as it was received: line ends stay CRLF,
/// and neither Return-Path nor Delivered-To is added, so the envelope is lost. All recipients share one file,
/// and every recipient is accepted. Thread-safe.
public final class MaildirNextHop implements NextHop {
    private static final Logger LOG = LoggerFactory.getLogger(MaildirNextHop.class);
    private static final Capabilities CAPABILITIES =
            new Capabilities(Set.of("PIPELINING", "8BITMIME", "SMTPUTF8", "ENHANCEDSTATUSCODES", "SIZE"), 0);
    private static final Reply FULL = Reply.of(452, "4.3.1", "Insufficient storage, try again later");
    private static final Reply FAILED = Reply.of(451, "4.3.0", "Message cannot be stored, try again later");

    private final Maildir maildir;

    /// @throws IOException if the folders cannot be created
    public MaildirNextHop(Path folder) throws IOException {
        this.maildir = Maildir.create(folder);
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public NextHopTransaction begin(ClientIdentity client) {
        return new Transaction();
    }

    @Override
    public void close() {}

    private final class Transaction implements NextHopTransaction {
        @Override
        public Reply mail(String arguments) {
            return Reply.of(250, "2.1.0", "Ok");
        }

        @Override
        public Reply rcpt(String arguments) {
            return Reply.of(250, "2.1.5", "Ok");
        }

        @Override
        public Reply data(byte[] top, MessageBytes message) {
            try {
                maildir.deliver(top, message);
                return Reply.of(250, "2.0.0", "Ok: stored");
            } catch (IOException e) {
                LOG.warn("maildir {}: {}", maildir.folder(), IoText.describe(e));
                return FullDisk.isCauseOf(e, maildir.folder(), top.length + message.sizeBytes()) ? FULL : FAILED;
            }
        }

        @Override
        public void close() {}
    }
}
