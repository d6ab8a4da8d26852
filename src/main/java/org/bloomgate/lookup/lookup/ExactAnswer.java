package org.bloomgate.lookup.lookup;

import java.util.List;

/// What the exact tier says of one key.
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
    /// @param doubtful listings of which it could not be found out whether they hold, one for each category they
    ///     may have; empty when anything may be listed
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
