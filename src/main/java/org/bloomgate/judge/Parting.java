package org.bloomgate.judge;

import java.util.List;

/// Who gets a message whose recipients' rulings differ.
public sealed interface Parting {
    Parting NONE = new Together();

    /// One answer fits all.
    record Together() implements Parting {}

    /// Nobody yet: the client sends again, and then to those apart on their own.
    record Later() implements Parting {}

    /// The client could not send apart, so that it is done here. Numbers are those of [Hearing#recipient] calls, from
    /// 0; who is in neither list wants the message dropped.
    ///
    /// @param delivered who get it, with a tag where `tagged` says so
    /// @param kept whose ruling refuses it: they find it in the quarantine
    /// @param tagged what the others get is tagged
    record Apart(List<Integer> delivered, List<Integer> kept, boolean tagged) implements Parting {
        public Apart {
            delivered = List.copyOf(delivered);
            kept = List.copyOf(kept);
        }
    }
}
