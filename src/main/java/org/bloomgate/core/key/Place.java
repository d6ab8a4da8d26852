package org.bloomgate.core.key;

/// Where in a message an identifier stood, from the surest to the most doubtful. Policy gives each place its
/// own action.
public enum Place {
    /// The address of who hands the mail over.
    CLIENT("client", Use.SENDER),
    /// The name that the client gives, or the name of its address as a trusted proxy states it.
    HELO("helo", Use.HELO),
    /// The reverse-path of the envelope.
    ENVELOPE("envelope", Use.SENDER),
    /// From, Sender, Reply-To, Return-Path.
    ORIGINATOR("originator", Use.HEADER),
    /// A link a reader can click: an attribute of HTML that is followed or fetched, or a List-Unsubscribe target.
    LINK("link", Use.LINK),
    /// A URL with a scheme or `www.`, or an address, written out in text.
    TEXT("text", Use.LINK),
    /// A link annotation of a PDF attachment.
    PDF("pdf", Use.LINK),
    /// In a QR code of a picture, for a camera.
    QR("qr", Use.LINK),
    /// An attached file, by its digest.
    ATTACHMENT("attachment", Use.LINK),
    /// A host name written in text without a scheme.
    SCHEMELESS("schemeless", Use.LINK),
    /// Put together by a script of an HTML body, which hardly any client runs.
    SCRIPT("script", Use.LINK),
    /// In or put together by a script of an attached file, which a browser runs, or a formula.
    SCRIPT_ATTACHMENT("scriptAttachment", Use.LINK),
    /// Found only by a raw scan: scripts, styles, comments, parts past a limit.
    RAW("raw", Use.LINK),
    /// A short link, whose target cannot be known without following it. Not looked up; its presence counts.
    UNKNOWN_TARGET("unknownTarget", Use.LINK),
    /// A phone number, of a `tel:` link or written out in text.
    PHONE("phone", Use.LINK),
    /// The last hop before the client's own network.
    RECEIVED("received", Use.HEADER),
    /// The domain of the Message-ID.
    MESSAGE_ID("messageId", Use.HEADER),
    /// The `d=` domain of a DKIM signature.
    DKIM("dkim", Use.HEADER),
    /// The words of the text, when more than a share of them is listed.
    CONTENT("content", Use.LINK);

    private final String label;
    private final Use use;

    Place(String label, Use use) {
        this.label = label;
        this.use = use;
    }

    /// The name in `policy.listed` and in JSON.
    public String label() {
        return label;
    }

    /// The feeds that are looked up for identifiers at this place.
    public Use use() {
        return use;
    }
}
