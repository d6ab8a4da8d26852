/// Listings and exceptions that operators make at run time: the layer `local`.
///
/// All entries are in one small file, which is rewritten as a whole for every change: written to a temporary
/// file, synced, renamed. Commands, and the gateway for the admin API, change it under the same lock; a running
/// gateway checks the file several times a second and swaps one reference. So changes are durable, need neither
/// a running gateway nor, on the machine itself, a token, and apply within a second.
///
/// ```
///   EntryText (typed or sent) -> EntryParser -> Entry -> LocalEntries -> EntryText -> LocalFile
///   LiveEntries: LocalFile -> LocalRules -> leases of LayerSource
/// ```
///
/// Precedence: exceptions, then local listings, then the feeds of the snapshots. An exception covers the
/// identifiers that a listing of its value would cover (`suffix`: the value and everything below it; `exact`: the
/// value alone), for the listings, recipients and senders in its scope. Of the exceptions that apply, the one with
/// the narrowest scope is named.
///
/// A damaged file, or one that vanished, is never read as empty, and no command overwrites it. A running gateway
/// keeps its entries, logs the fault, and writes a vanished file again with the next change through its admin API.
/// A gateway that starts fails, and commands end with status 2. To begin without entries, move the folder away.
///
/// Start reading at [EntryService], [LocalFile] and [LiveEntries].
@NullMarked
package org.bloomgate.lookup.local;

import org.jspecify.annotations.NullMarked;
