package org.bloomgate.document;

/// Who has a document read: pays for it and takes what is found.
public interface Finds {
    /// Pays for work about to be done; false when nothing more may be done.
    boolean spend(long units);

    /// Something was left unread, by the name of the bound.
    void reached(String limit);

    /// A URL, or a server's share (`\\host\x`), that a click, or opening the document, follows.
    void link(String url);

    /// Text that a reader sees, or may.
    void text(String text);

    /// Text in HTML.
    void html(String html);

    /// A program, or a formula.
    void script(String script);

    /// A file within, by what its name and octets say.
    void file(String name, byte[] octets, int length);

    /// The same in base64.
    void file(String name, String base64);
}
