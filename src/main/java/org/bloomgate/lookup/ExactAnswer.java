package org.bloomgate.lookup;

import java.util.List;
import org.bloomgate.verdict.Listing;

/// What the exact tier says of one key.
public sealed interface ExactAnswer {

    record Listed(List<Listing> listings) implements ExactAnswer {
        public Listed {
            listings = List.copyOf(listings);
        }
    }

    record NotListed() implements ExactAnswer {}

    /// Nothing was proven: never to be read as "not listed", never cached.
    record Unknown(String reason) implements ExactAnswer {}
}
