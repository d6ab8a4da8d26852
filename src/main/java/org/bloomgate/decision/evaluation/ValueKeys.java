package org.bloomgate.decision.evaluation;

import java.util.List;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.LookupValue;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;

/// Collects the keys of a single value, which is looked up as sender, header, link and HELO at once, so that a listing
/// is reported even if its feed is not used for this kind of place.
public final class ValueKeys {
    private static final List<Place> EVERY_USE = List.of(Place.ENVELOPE, Place.ORIGINATOR, Place.LINK, Place.HELO);
    private static final String WHERE = "check";

    private final PublicSuffixes suffixes;
    private final KeyBatch batch;

    public ValueKeys(PublicSuffixes suffixes, KeyBatch batch) {
        this.suffixes = suffixes;
        this.batch = batch;
    }

    /// Adds the keys of a value; false if the value has no canonical form of this kind.
    public boolean add(KeyKind kind, String text) {
        List<LookupValue> values = kind.rules().toLookupValues(text);
        for (LookupValue value : values) {
            for (Place place : EVERY_USE) {
                batch.begin(new Identifier(kind, value.text(), place, WHERE));
                value.keys().append(suffixes, batch);
            }
        }
        return !values.isEmpty();
    }
}
