package org.bloomgate.core.key;

import org.bloomgate.base.config.Labelled;

/// Where in a message an identifier was found, from the most to the least reliable place. Policy has an action
/// for each place.
public enum Place implements Labelled {
    /// The IP address of the SMTP client.
    CLIENT("client", Use.SENDER),
    /// The HELO name of the client, or the name of its address that a trusted proxy states.
    HELO("helo", Use.HELO),
    /// The reverse-path of the envelope.
    ENVELOPE("envelope", Use.SENDER),
    /// From, Sender, Reply-To, Return-Path.
    ORIGINATOR("originator", Use.HEADER),
    /// A link that a reader can click: an HTML attribute that is followed or fetched, or a List-Unsubscribe
    /// target.
    LINK("link", Use.LINK),
    /// A URL with a scheme or `www.`, or an address, in text.
    TEXT("text", Use.LINK),
    /// A link annotation of a PDF attachment.
    PDF("pdf", Use.LINK),
    /// The content of a QR code in a picture.
    QR("qr", Use.LINK),
    /// An attached file, by its digest.
    ATTACHMENT("attachment", Use.LINK),
    /// A host name without a scheme in text.
    SCHEMELESS("schemeless", Use.LINK),
    /// A URL that a script in an HTML body builds, which hardly any client runs.
    SCRIPT("script", Use.LINK),
    /// A URL in a script of an attached file, or built by it, which a browser runs, or in a formula.
    SCRIPT_ATTACHMENT("scriptAttachment", Use.LINK),
    /// Found only by a raw scan: scripts, styles, comments, parts past a limit.
    RAW("raw", Use.LINK),
    /// A short link, whose target cannot be known without following it. Not looked up; its presence counts.
    UNKNOWN_TARGET("unknownTarget", Use.LINK),
    /// A phone number in a `tel:` link or in text.
    PHONE("phone", Use.LINK),
    /// The last hop before the client's own network.
    RECEIVED("received", Use.HEADER),
    /// The domain of the Message-ID.
    MESSAGE_ID("messageId", Use.HEADER),
    /// The `d=` domain of a DKIM signature.
    DKIM("dkim", Use.HEADER),
    /// The words of the text, if more than a certain share of them is listed.
    CONTENT("content", Use.LINK);

    private final String label;
    private final Use use;

    Place(String label, Use use) {
        this.label = label;
        this.use = use;
    }

    /// The name in `policy.listed` and in JSON.
    @Override
    public String label() {
        return label;
    }

    /// The feeds that are looked up for identifiers at this place.
    public Use use() {
        return use;
    }
}
