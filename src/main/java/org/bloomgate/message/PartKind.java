package org.bloomgate.message;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// How the content of a part is read. What it holds goes before what it claims to be.
enum PartKind {
    HTML,
    TEXT,
    /// Lines folded as in iCalendar and vCard (RFC 5545 3.1): a line that begins with a blank continues the last.
    FOLDED_TEXT,
    PDF,
    /// Images, archives, ...: not read.
    OPAQUE;

    /// Octets that [#sniff] wants to see.
    static final int SNIFFED_OCTETS = 1024;

    static PartKind declared(String mimeType) {
        return switch (mimeType) {
            case "text/html",
                    "text/x-amp-html",
                    "application/xhtml+xml",
                    "image/svg+xml",
                    "text/xml",
                    "application/xml" -> HTML;
            case "text/calendar", "text/vcard", "text/x-vcard", "text/directory", "application/ics" -> FOLDED_TEXT;
            case "application/pdf", "application/x-pdf" -> PDF;
            case "application/rtf" -> TEXT;
            default -> mimeType.startsWith("text/") || mimeType.startsWith("message/") ? TEXT : OPAQUE;
        };
    }

    /// What the first octets show, else the kind declared. UTF-16 is looked through by leaving zeros out.
    PartKind sniff(byte[] octets, int length) {
        if (this == HTML || length == 0) {
            return this;
        }
        byte[] head = new byte[Math.min(length, SNIFFED_OCTETS)];
        int kept = 0;
        for (int i = 0; i < head.length; i++) {
            if (octets[i] != 0) {
                head[kept++] = octets[i];
            }
        }
        String start = new String(head, 0, kept, StandardCharsets.ISO_8859_1);
        if (this == PDF || start.contains("%PDF-")) {
            return PDF;
        }
        if (this == OPAQUE && start.startsWith("BEGIN:VC")) {
            return FOLDED_TEXT;
        }
        if (this == OPAQUE && start.startsWith("{\\rtf")) {
            return TEXT;
        }
        return looksLikeHtml(start.toLowerCase(Locale.ROOT)) ? HTML : this;
    }

    /// True for what is shown as it stands when its type is believed.
    boolean isText() {
        return this == TEXT || this == FOLDED_TEXT;
    }

    private boolean looksLikeHtml(String start) {
        int tag = start.indexOf('<');
        if (tag < 0 || !start.substring(0, tag).chars().allMatch(c -> c <= ' ' || c >= 0x80)) {
            return false;
        }
        String[] openings = {"<!doctype html", "<html", "<head", "<body", "<script", "<meta", "<svg", "<style", "<table"
        };
        for (String opening : openings) {
            if (start.startsWith(opening, tag)) {
                return true;
            }
        }
        return start.startsWith("<?xml", tag) || start.startsWith("<!--", tag);
    }
}
