package org.bloomgate.content.links;

import org.bloomgate.core.key.Place;

/// The places of what is found in a text.
///
/// @param links URLs with a scheme or `www.`
/// @param hosts host names without a scheme
/// @param where for a reader; empty for the name of the place
public record TextPlaces(Place links, Place addresses, Place hosts, String where) {
    /// Text a reader sees.
    public static final TextPlaces SHOWN = new TextPlaces(Place.TEXT, Place.TEXT, Place.SCHEMELESS, "");

    /// Text of a page of a PDF, in which viewers find links.
    public static final TextPlaces PAGE = new TextPlaces(Place.PDF, Place.PDF, Place.SCHEMELESS, "");

    /// Text that only some clients show.
    static final TextPlaces HIDDEN = new TextPlaces(Place.RAW, Place.RAW, Place.RAW, "");

    /// Text of a code in a picture.
    static final TextPlaces CODE = new TextPlaces(Place.QR, Place.QR, Place.QR, "");

    /// Text of a header field.
    public static TextPlaces field(Place addresses, String where) {
        return new TextPlaces(Place.TEXT, addresses, Place.SCHEMELESS, where);
    }

    /// True for a text that is part of what a reader came to read.
    boolean shown() {
        return (links == Place.TEXT || links == Place.PDF) && where.isEmpty();
    }

    String where(Place place) {
        return where.isEmpty() ? place.label() : where;
    }
}
