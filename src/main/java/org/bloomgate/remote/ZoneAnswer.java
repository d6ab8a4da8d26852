package org.bloomgate.remote;

import java.util.Set;

/// What a zone says of one listing.
sealed interface ZoneAnswer {

    /// It is listed, as these categories: one or more.
    record Listed(Set<String> categories) implements ZoneAnswer {}

    record NotListed() implements ZoneAnswer {}

    /// It did not say anything that can be relied on.
    record Unknown(String reason) implements ZoneAnswer {}
}
