package org.bloomgate.lookup.tier;

import java.util.List;

/// The answer of the exact tier about one key.
public sealed interface ExactAnswer {

    record Listed(List<Listing> listings) implements ExactAnswer {
        public Listed {
            listings = List.copyOf(listings);
        }
    }

    /// @param held true if a store still contains the key: the zone that listed it has delisted it since
    record NotListed(boolean held) implements ExactAnswer {
        public NotListed() {
            this(false);
        }
    }

    /// The lookup failed, wholly or in part: never treated as "not listed", never cached.
    ///
    /// @param listed listings that are certain in spite of the failure; the key may have others with a wider match
    /// @param doubtful listings that could not be confirmed or denied, one for each possible category; empty if
    ///     anything may be listed
    record Unknown(String reason, List<Listing> listed, List<Listing> doubtful) implements ExactAnswer {
        public Unknown {
            listed = List.copyOf(listed);
            doubtful = List.copyOf(doubtful);
        }

        public Unknown(String reason) {
            this(reason, List.of(), List.of());
        }
    }
}
