package org.bloomgate.content.links;

import org.bloomgate.core.key.Place;

/// The places at which the identifiers of a text are found.
///
/// @param links place of URLs with a scheme or `www.`
/// @param addresses place of mail addresses
/// @param hosts place of host names without a scheme
/// @param where the location for a person; empty for the name of the place
public record TextPlaces(Place links, Place addresses, Place hosts, String where) {
    /// Text that a reader sees.
    public static final TextPlaces SHOWN = new TextPlaces(Place.TEXT, Place.TEXT, Place.SCHEMELESS, "");

    /// Text of a PDF page, in which viewers recognize links.
    public static final TextPlaces PAGE = new TextPlaces(Place.PDF, Place.PDF, Place.SCHEMELESS, "");

    /// Text that only some clients show.
    static final TextPlaces HIDDEN = new TextPlaces(Place.RAW, Place.RAW, Place.RAW, "");

    /// Text of a code in a picture.
    static final TextPlaces CODE = new TextPlaces(Place.QR, Place.QR, Place.QR, "");

    /// Text of a header field.
    public static TextPlaces field(Place addresses, String where) {
        return new TextPlaces(Place.TEXT, addresses, Place.SCHEMELESS, where);
    }

    /// Whether the text is part of the body that a reader sees, not of a header field.
    boolean shown() {
        return (links == Place.TEXT || links == Place.PDF) && where.isEmpty();
    }

    String where(Place place) {
        return where.isEmpty() ? place.label() : where;
    }
}
