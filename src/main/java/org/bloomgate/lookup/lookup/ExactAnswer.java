package org.bloomgate.lookup.lookup;

import java.util.List;

/// The answer of the exact tier about one key.
public sealed interface ExactAnswer {

    record Listed(List<Listing> listings) implements ExactAnswer {
        public Listed {
            listings = List.copyOf(listings);
        }
    }

    /// @param held true when a store holds the key nevertheless: who listed it took that back meanwhile
    record NotListed(boolean held) implements ExactAnswer {
        public NotListed() {
            this(false);
        }
    }

    /// Nothing was proven, or not enough: never to be read as "not listed", never cached.
    ///
    /// @param listed listings that stand nevertheless; they reach less far than the key may be listed
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
